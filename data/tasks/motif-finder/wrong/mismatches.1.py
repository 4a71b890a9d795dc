            mismatches = sum(base != letter for base, letter in zip(window, pattern))
