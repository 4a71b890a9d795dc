            owed - coin * number
