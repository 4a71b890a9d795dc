            distance = distances[town] + 1
