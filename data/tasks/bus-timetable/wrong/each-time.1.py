        single = times
