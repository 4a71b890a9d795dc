            number = owed // coin
