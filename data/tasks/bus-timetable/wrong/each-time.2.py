        single = times.split(" ")
