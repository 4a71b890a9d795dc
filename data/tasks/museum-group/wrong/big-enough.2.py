    if min(self.ages) < SMALLEST:
        raise TooSmall(f"{len(self.ages)} visitors")
