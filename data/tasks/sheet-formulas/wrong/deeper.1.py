            total += read_number(self.content(other))
