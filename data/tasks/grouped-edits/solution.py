@contextmanager
def group(self) -> "Iterator[Editor]":
    """Make one edit of all that are run inside; take them back if an exception leaves the block."""
    # <mark>
    mark = len(self.done)
    # </mark>
    try:
        # <hand-over>
        yield self
        # </hand-over>
    except BaseException:
        # <take-back>
        while len(self.done) > mark:
            self.undo()
        # </take-back>
        # <no-redo>
        self.undone.clear()
        # </no-redo>
        # <raise-again>
        raise
        # </raise-again>
    # <gather>
    edits = self.done[mark:]
    # </gather>
    # <cut>
    del self.done[mark:]
    # </cut>
    # <one-step>
    if edits:
        self.done.append(Group(edits))
    # </one-step>
