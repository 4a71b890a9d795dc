    stops = self.buttons & set(calls)
