def route(self, calls: list[int]) -> list[int]:
    """The floors at which the lift stops, in order; `calls` are the floors from which people call."""
    # <all-stops>
    stops = self.buttons | set(calls)
    # </all-stops>
    # <served>
    stops = {floor for floor in stops if self.building.serves(floor)}
    # </served>
    # <not-here>
    stops.discard(self.floor)
    # </not-here>
    # <ahead>
    ahead = {floor for floor in stops if self.is_ahead(floor)}
    # </ahead>
    # <others>
    others = stops - ahead
    # </others>
    # <on-the-way>
    first = sorted(ahead, reverse=self.direction == DOWN)
    # </on-the-way>
    # <way-back>
    return first + sorted(others, reverse=self.direction == UP)
    # </way-back>
