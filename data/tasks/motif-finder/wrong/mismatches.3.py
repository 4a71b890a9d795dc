            mismatches = 0 if fits(window, pattern) else 1
