    shape = tuple(zip(*self.piece.shape))[::-1]
