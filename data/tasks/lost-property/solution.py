@contextmanager
def revision(self, clerk: str) -> Iterator[dict[int, Item]]:
    """Let a clerk change the items within a `with` block, all or nothing; raise RegisterBusy."""
    # <one-at-a-time>
    if self.clerk is not None:
        raise RegisterBusy(f"{self.clerk} is at it")
    # </one-at-a-time>
    # <deep-copy>
    before = deepcopy(self.items)
    # </deep-copy>
    self.clerk = clerk
    try:
        # <hand-over>
        yield self.items
        # </hand-over>
        # <find-changes>
        changes = list_changes(before, self.items)
        # </find-changes>
        for change in changes:
            # <note-it>
            self.note(change)
            # </note-it>
    # <roll-back>
    except Exception:
        self.items = before
        raise
    # </roll-back>
    # <free-again>
    finally:
        self.clerk = None
    # </free-again>
