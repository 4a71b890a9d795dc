    ordered = sorted(set(given))
