    if edits:
        self.done.append(edits)
