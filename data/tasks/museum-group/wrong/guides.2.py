        price = guide_fee(len(self.ages))
