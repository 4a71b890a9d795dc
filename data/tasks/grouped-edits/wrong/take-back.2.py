        del self.done[mark:]
