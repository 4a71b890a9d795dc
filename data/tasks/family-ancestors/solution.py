def ancestors(self, name: str, depth: int) -> dict[str, int]:
    """The generation of each ancestor within `depth` generations (0 or more)."""
    # <tidy>
    name = tidy_name(name)
    # </tidy>
    # <stop>
    if depth == 0:
        return {}
    # </stop>
    found: dict[str, int] = {}
    # <parents>
    parents = self.parents_of(name)
    # </parents>
    for parent in parents:
        # <first-generation>
        line = {parent: 1}
        # </first-generation>
        # <recursive-call>
        above = self.ancestors(parent, depth - 1)
        # </recursive-call>
        # <one-further>
        line.update({ancestor: generation + 1 for ancestor, generation in above.items()})
        # </one-further>
        for ancestor, generation in line.items():
            # <nearest>
            found[ancestor] = min(generation, found.get(ancestor, generation))
            # </nearest>
    return found
