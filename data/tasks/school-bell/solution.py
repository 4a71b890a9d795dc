def bells(self, day: date) -> list[time]:
    """The times at which the bell rings on a day, in order."""
    # <free-day>
    if self.is_free(day):
        return []
    # </free-day>
    # <how-many>
    lessons = self.lessons.get(day.weekday(), LESSONS)
    # </how-many>
    # <first-ring>
    moment = datetime.combine(day, START)
    # </first-ring>
    # <length>
    length = SHORT if day in self.short_days else LONG
    # </length>
    # <count-lessons>
    numbers = range(1, lessons + 1)
    # </count-lessons>
    rings: list[time] = []
    for number in numbers:
        # <one-ring>
        if not rings or rings[-1] != moment.time():
            rings.append(moment.time())
        # </one-ring>
        # <end-of-lesson>
        moment += timedelta(minutes=length)
        # </end-of-lesson>
        rings.append(moment.time())
        # <break-after>
        moment += timedelta(minutes=break_after(number))
        # </break-after>
    return rings
