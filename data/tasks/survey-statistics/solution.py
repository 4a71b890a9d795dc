def summarise(texts: list[str]) -> Summary:
    """What the written answers say together."""
    # <parse-each>
    values = [parse_answer(text) for text in texts]
    # </parse-each>
    # <count-missing>
    missing = values.count(None)
    # </count-missing>
    # <keep-given>
    given = [value for value in values if value is not None]
    # </keep-given>
    # <nothing-given>
    if not given:
        return Summary(0, missing, None, None, [])
    # </nothing-given>
    # <mean>
    mean = round(sum(given) / len(given), 1)
    # </mean>
    # <in-order>
    ordered = sorted(given)
    # </in-order>
    # <median>
    half = len(ordered) // 2
    median = ordered[half] if len(ordered) % 2 == 1 else (ordered[half - 1] + ordered[half]) / 2
    # </median>
    # <frequencies>
    counts = count_values(ordered)
    # </frequencies>
    # <all-modes>
    most = max(counts.values())
    modes = [value for value, count in counts.items() if count == most]
    # </all-modes>
    # <make-summary>
    return Summary(given=len(given), missing=missing, mean=mean, median=median, modes=modes)
    # </make-summary>
