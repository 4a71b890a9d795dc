            minute = time
