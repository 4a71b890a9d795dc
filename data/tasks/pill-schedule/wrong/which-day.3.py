        day = today + ahead
