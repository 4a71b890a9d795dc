    ordinary = sum(PRICES[category(age)] for age in self.ages)
