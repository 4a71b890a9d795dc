    ordered = given.sort()
