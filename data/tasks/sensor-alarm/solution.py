def watch(readings: Iterable[Reading], limits: Limits) -> Iterator[Event]:
    """Yield an event each time the alarm changes; raise ValueError if the limits make no sense."""
    # <check-limits>
    limits.check()
    # </check-limits>
    on, run = False, 0
    for reading in readings:
        # <valid-only>
        if not is_valid(reading):
            continue
        # </valid-only>
        # <reached>
        warm = reading.value >= limits.high
        # </reached>
        # <in-a-row>
        run = run + 1 if warm else 0
        # </in-a-row>
        if on:
            # <switch-off>
            changes = reading.value < limits.low
            # </switch-off>
        else:
            # <switch-on>
            changes = run >= CONFIRM
            # </switch-on>
        if changes:
            # <toggle>
            on = not on
            # </toggle>
            # <yield-event>
            yield Event(reading.minute, on)
            # </yield-event>
