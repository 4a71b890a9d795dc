    words = [word for word in words if not any(stop in word for stop in STOP_WORDS)]
