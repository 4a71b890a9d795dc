        turned = replace(self.piece, shape=shape, column=shift)
