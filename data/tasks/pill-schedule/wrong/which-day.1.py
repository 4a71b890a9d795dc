        day = today.replace(day=today.day + ahead)
