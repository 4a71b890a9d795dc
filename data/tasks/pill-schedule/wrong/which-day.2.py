        day = today + timedelta(days=ahead + 1)
