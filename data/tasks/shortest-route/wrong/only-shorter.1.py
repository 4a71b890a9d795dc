            better = neighbour not in distances
