            minute = int(time.replace(":", ""))
