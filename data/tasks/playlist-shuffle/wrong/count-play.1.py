        self.plays[song.title] = 1
