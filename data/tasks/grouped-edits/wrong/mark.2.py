    mark = len(self.done) - 1
