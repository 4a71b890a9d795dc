    edits = self.done[:mark]
