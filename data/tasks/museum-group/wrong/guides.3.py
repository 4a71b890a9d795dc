        price += guide_fee(self.ages)
