    if len(self.ages) < SMALLEST:
        return 0
