    content = self._contents[cell]
