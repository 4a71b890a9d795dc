    distances = {}
