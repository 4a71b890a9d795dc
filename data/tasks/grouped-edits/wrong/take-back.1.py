        if len(self.done) > mark:
            self.undo()
