        candidates = candidates or self.songs
