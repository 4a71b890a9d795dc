def summarise_days(lines: Iterable[str]) -> Iterator[Day]:
    """Yield each day that has enough measurements, in the order of time."""
    # <one-by-one>
    readings = (parse_line(line) for line in lines)
    # </one-by-one>
    # <sensor-failed>
    valid = (reading for reading in readings if reading.celsius is not None)
    # </sensor-failed>
    # <same-day>
    days = groupby(valid, key=lambda reading: reading.time.date())
    # </same-day>
    for day, group in days:
        # <keep-values>
        values = [reading.celsius for reading in group]
        # </keep-values>
        # <enough>
        if len(values) < FEWEST:
            continue
        # </enough>
        # <mean>
        mean = round(sum(values) / len(values), 1)
        # </mean>
        # <hand-out>
        yield Day(day, min(values), max(values), mean)
        # </hand-out>
