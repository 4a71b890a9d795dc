    entry = next((each for each in self.entries if each.number == number), None)
