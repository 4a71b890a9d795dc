                distances[neighbour] = distance
                previous[neighbour] = town
