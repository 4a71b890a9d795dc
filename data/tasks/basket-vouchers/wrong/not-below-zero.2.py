            left = min(left, 0)
