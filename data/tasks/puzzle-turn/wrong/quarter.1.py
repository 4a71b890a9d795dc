    shape = tuple(zip(*self.piece.shape))
