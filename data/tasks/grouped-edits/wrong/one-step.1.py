    self.done.append(Group(edits))
