"""Routes as lists of towns."""


def trace_back(previous: dict[str, str], goal: str) -> list[str]:
    """The towns up to the goal, first the one that was reached from nowhere.

    previous: for each town the one before it on the route.
    """
    route = [goal]
    while route[-1] in previous:
        route.append(previous[route[-1]])
    return route[::-1]
