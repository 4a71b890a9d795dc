            mismatches = sum(not fits(base, letter) for base in window for letter in pattern)
