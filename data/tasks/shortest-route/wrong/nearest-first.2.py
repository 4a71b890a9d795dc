        town, _ = heapq.heappop(queue)
