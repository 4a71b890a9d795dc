        changes = [f"{number} is new" for number in self.items if number not in before]
