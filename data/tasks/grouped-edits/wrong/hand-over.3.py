        yield self.text
