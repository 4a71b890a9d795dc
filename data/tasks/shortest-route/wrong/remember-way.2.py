                distances[neighbour] = distance
                previous[town] = neighbour
                heapq.heappush(queue, (distance, neighbour))
