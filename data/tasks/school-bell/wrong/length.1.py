    length = SHORT if self.short_days else LONG
