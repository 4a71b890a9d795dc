        self.done.clear()
