def compute(self, cell: str, above: set[str]) -> int:
    """The value of a cell that the cells above need; raise Loop if it needs one of them or itself."""
    # <loop>
    if cell in above:
        raise Loop(f"{cell} needs its own value")
    # </loop>
    # <content>
    content = self.content(cell)
    # </content>
    # <plain>
    if not content.startswith("="):
        return read_number(content)
    # </plain>
    total = 0
    # <terms>
    terms = content[1:].split("+")
    # </terms>
    # <way-down>
    way = above | {cell}
    # </way-down>
    for term in terms:
        # <named-cells>
        cells = cells_of(term)
        # </named-cells>
        for other in cells:
            # <deeper>
            total += self.compute(other, way)
            # </deeper>
        # <number-term>
        if not cells:
            total += read_number(term)
        # </number-term>
    return total
