            self.things.append(thing)
