def next_buses(timetable: list[str], now: str, school_day: bool) -> list[Departure]:
    """The next departures that can be reached by who leaves the door `now`, a time such as `07:45`."""
    # <earliest>
    earliest = to_minutes(now) + WALK
    # </earliest>
    departures: list[Departure] = []
    for row in timetable:
        # <bus-and-times>
        bus, times = row.split(":", 1)
        # </bus-and-times>
        # <each-time>
        single = times.split()
        # </each-time>
        for time in single:
            # <school-days-only>
            if time.endswith("*") and not school_day:
                continue
            # </school-days-only>
            # <without-star>
            time = time.rstrip("*")
            # </without-star>
            # <in-minutes>
            minute = to_minutes(time)
            # </in-minutes>
            # <in-time>
            reached = minute >= earliest
            # </in-time>
            if reached:
                # <make-departure>
                departures.append(Departure(minute, bus))
                # </make-departure>
    # <earliest-first>
    departures.sort(key=lambda departure: departure.minute)
    # </earliest-first>
    # <few-rows>
    return departures[:ROWS]
    # </few-rows>
