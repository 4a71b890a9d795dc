    stops.remove(self.floor)
