    edits = self.done
