            owed -= coin
