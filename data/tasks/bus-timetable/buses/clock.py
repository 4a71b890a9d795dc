"""Times of day as numbers."""


def to_minutes(time: str) -> int:
    """Minutes from midnight to a time such as `07:45`."""
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)
