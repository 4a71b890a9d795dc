        if self.fits(self.piece):
