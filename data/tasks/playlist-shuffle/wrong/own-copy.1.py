            remaining = self.songs
