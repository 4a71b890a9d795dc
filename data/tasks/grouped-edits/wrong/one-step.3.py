    if edits:
        self.done.extend(edits)
