    free = [f"{row}{letter}" for row in range(1, self.rows + 1) for letter in LETTERS]
