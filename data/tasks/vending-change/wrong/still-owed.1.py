            owed = owed % coin
