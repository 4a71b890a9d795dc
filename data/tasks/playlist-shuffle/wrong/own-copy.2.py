            remaining.append(self.songs)
