    content = self.content
