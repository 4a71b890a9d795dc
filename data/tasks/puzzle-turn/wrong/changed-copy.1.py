        turned = self.piece
        turned.shape = shape
        turned.column += shift
