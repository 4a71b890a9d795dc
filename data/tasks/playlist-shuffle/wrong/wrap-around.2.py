        song = candidates[draw % len(self.songs)]
