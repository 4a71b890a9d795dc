    free = 1 if len(self.ages) >= PER_FREE_PLACE else 0
