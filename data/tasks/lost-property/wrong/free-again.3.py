    else:
        self.clerk = None
