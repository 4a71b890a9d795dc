            self.journal.append(change)
