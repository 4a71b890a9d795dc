            time = time[:-1]
