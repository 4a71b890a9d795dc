def turn(self) -> bool:
    """Turn the falling piece clockwise, shifted if need be; False, and all as before, if there is no room."""
    # <quarter>
    shape = tuple(zip(*self.piece.shape[::-1]))
    # </quarter>
    # <shifts>
    for shift in SHIFTS:
    # </shifts>
        # <changed-copy>
        turned = replace(self.piece, shape=shape, column=self.piece.column + shift)
        # </changed-copy>
        # <fits>
        if self.fits(turned):
        # </fits>
            # <keep>
            self.piece = turned
            return True
            # </keep>
    # <no-way>
    return False
    # </no-way>
