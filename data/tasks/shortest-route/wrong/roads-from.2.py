        roads = self.roads_from(start)
