    stops = self.buttons + calls
