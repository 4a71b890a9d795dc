def shortest_route(self, start: str, goal: str) -> list[str]:
    """The towns of a shortest route, start and goal included; raise NoRoute if there is none."""
    # <distances>
    distances = {start: 0}
    # </distances>
    previous: dict[str, str] = {}
    queue = [(0, start)]
    while queue:
        # <nearest-first>
        _, town = heapq.heappop(queue)
        # </nearest-first>
        # <rebuild>
        if town == goal:
            return trace_back(previous, goal)
        # </rebuild>
        # <roads-from>
        roads = self.roads_from(town)
        # </roads-from>
        for neighbour, length in roads:
            # <add-length>
            distance = distances[town] + length
            # </add-length>
            # <only-shorter>
            better = neighbour not in distances or distance < distances[neighbour]
            # </only-shorter>
            if better:
                # <remember-way>
                distances[neighbour] = distance
                previous[neighbour] = town
                heapq.heappush(queue, (distance, neighbour))
                # </remember-way>
    # <no-route>
    raise NoRoute(f"no road leads from {start} to {goal}")
    # </no-route>
