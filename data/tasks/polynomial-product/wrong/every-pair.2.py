    pairs = [(power, power) for power in self.terms if power in other.terms]
