        while len(self.done) > mark:
            undo()
