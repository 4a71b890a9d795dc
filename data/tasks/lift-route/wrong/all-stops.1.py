    stops = self.buttons
    stops.update(calls)
