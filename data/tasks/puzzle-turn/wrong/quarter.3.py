    shape = tuple(line[::-1] for line in self.piece.shape)
