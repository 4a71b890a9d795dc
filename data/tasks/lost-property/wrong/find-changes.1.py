        changes = list_changes(self.items, before)
