"""What a hint says is asked, taken apart again: its readings without names, weeks and what was asked before."""

import re

from tools.reading.hints import AND, OR
from tools.reading.known_questions import again
from tools.reading.naming import BEFORE, HERE
from tools.task import NO_SUCH_WEEK

_NAMED = "|".join(map(re.escape, (NO_SUCH_WEEK, HERE, BEFORE)))


def readings(hint: str) -> tuple[str, ...]:
    """The readings of a hint, the likeliest first; of “…, the same as before” what that was, if it says so."""
    named = re.split(_NAMED, hint)[0].replace(AND, OR).split(OR)
    return tuple(_first(each) for each in named if each)


def _first(reading: str) -> str:
    return next((reading.removesuffix(f", {each}") for each in again() if reading.endswith(f", {each}")), reading)
