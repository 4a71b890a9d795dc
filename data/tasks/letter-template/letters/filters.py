"""What can be done to a field before it is filled in."""


def shorten(text: str) -> str:
    """The first letter and a full stop: `A.` for `Ada`; nothing for nothing."""
    return f"{text[0]}." if text else ""


FILTERS = {"trim": str.strip, "capitals": str.upper, "title": str.title, "initial": shorten}
"""Functions from text to text by the names that templates use."""
