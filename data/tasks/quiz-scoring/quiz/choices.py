"""How ticks are written."""


def parse_choices(text: str) -> set[str]:
    """The options in a text such as `b, D`, in capitals; the set is empty if there are none."""
    return {part.strip().upper() for part in text.split(",") if part.strip()}
