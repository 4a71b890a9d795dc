        roads = list(self._roads[town].items())
