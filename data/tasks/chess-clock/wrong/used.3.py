    used = now
