    free = len(self.ages) / PER_FREE_PLACE
