            left = abs(left)
