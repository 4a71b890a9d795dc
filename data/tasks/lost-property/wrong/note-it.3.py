            self.journal = [f"{clerk}: {change}"]
