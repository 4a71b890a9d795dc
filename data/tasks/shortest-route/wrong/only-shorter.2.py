            better = neighbour not in distances or distance > distances[neighbour]
