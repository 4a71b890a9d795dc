            inner = self.shopping(line.what, portions)
