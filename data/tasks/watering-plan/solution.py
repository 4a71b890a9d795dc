def plan_watering(plants: list[Plant], start: date, days: int, rain: dict[date, float]) -> dict[date, list[str]]:
    """The names of the plants to water on each day that has any; `rain` is in millimetres."""
    # <own-plants>
    plants = [replace(plant) for plant in plants]
    # </own-plants>
    # <by-name>
    plants = sorted(plants, key=lambda plant: plant.name)
    # </by-name>
    # <calendar>
    calendar = [start + timedelta(days=number) for number in range(days)]
    # </calendar>
    plan: dict[date, list[str]] = {}
    for day in calendar:
        # <wet-day>
        wet = rain.get(day, 0.0) >= ENOUGH
        # </wet-day>
        for plant in plants:
            # <interval>
            pause = days_between(plant, day)
            # </interval>
            # <due>
            due = (day - plant.last).days >= pause
            # </due>
            # <rained-on>
            rained = wet and not plant.covered
            # </rained-on>
            if due and not rained:
                # <plan-day>
                plan.setdefault(day, []).append(plant.name)
                # </plan-day>
            # <had-water>
            if due or rained:
                plant.last = day
            # </had-water>
    return plan
