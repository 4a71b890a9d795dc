        self.remove(thing)
