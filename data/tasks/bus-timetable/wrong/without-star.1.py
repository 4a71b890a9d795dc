            time.rstrip("*")
