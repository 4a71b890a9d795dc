def allocate(self, names: list[str]) -> dict[str, str]:
    """Give a seat to each of at least one traveller and return the seats by name; raise AllocationError."""
    # <already-seated>
    if any(name in self._taken.values() for name in names):
        raise AlreadySeated(f"one of {names} has a seat")
    # </already-seated>
    # <free-seats>
    free = self.free_seats()
    # </free-seats>
    # <all-or-nobody>
    if len(free) < len(names):
        raise CarriageFull(f"{len(free)} seats are free")
    # </all-or-nobody>
    rows: dict[int, list[str]] = {}
    for seat in free:
        # <row-number>
        row = row_of(seat)
        # </row-number>
        # <group-by-row>
        rows.setdefault(row, []).append(seat)
        # </group-by-row>
    # <rows-with-room>
    roomy = [seats for seats in rows.values() if len(seats) >= len(names)]
    # </rows-with-room>
    # <apart>
    if not roomy:
        roomy = [free]
    # </apart>
    # <tightest-row>
    chosen = min(roomy, key=len)
    # </tightest-row>
    given = dict(zip(names, chosen))
    # <take-seats>
    for name, seat in given.items():
        self._taken[seat] = name
    # </take-seats>
    return given
