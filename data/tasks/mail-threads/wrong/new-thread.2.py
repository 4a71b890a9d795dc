            thread = Thread(key)
