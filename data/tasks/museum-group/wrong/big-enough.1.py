    if len(self.ages) <= SMALLEST:
        raise TooSmall(f"{len(self.ages)} visitors")
