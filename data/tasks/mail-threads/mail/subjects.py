"""What a subject is about."""

import re

MARKS = re.compile(r"^(\s*(re|fwd?|aw|tr)\s*:)+", re.IGNORECASE)
"""What programs put before the subject of a reply or of a message passed on."""


def bare_subject(subject: str) -> str:
    """A subject without the marks before it and with single blanks: `Re: FWD:  Boat  trip` becomes `Boat trip`."""
    return " ".join(MARKS.sub("", subject).split())
