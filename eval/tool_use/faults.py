"""What kinds of things a model did wrong, told by the notice that it was given."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache

from scribe import prompts
from scribe.trajectory import Fault

SAID = {
    "malformed": "turn could not be read",
    "cut_off": "turn cut off",
    "circle": "turn in a circle",
    "unsure": "uncertain figure",
    "misquoted": "quoted what stands nowhere",
    "answer_now": "call where only an answer was left",
    "unsupported": "answer named what nothing supports",
}
"""The notices that make a fault, in the words of a table."""
OTHER = "other"


def kinds(faults: Iterable[Fault]) -> Counter[str]:
    """How many of each kind, in the words of a table; a notice that is none of ours counts as other."""
    return Counter(kind(fault.complaint) for fault in faults)


def kind(complaint: str) -> str:
    """The kind of fault that a complaint is about."""
    found = (said for name, said in SAID.items() if _patterns()[name].fullmatch(complaint))
    return next(found, OTHER)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    notices = tomllib.loads(prompts.text("notices.toml"))
    return {name: _pattern(str(notices[name])) for name in SAID}


def _pattern(notice: str) -> re.Pattern[str]:
    """Matches the notice with anything in its slots."""
    fixed = re.split(r"(?<!\{)\{\w+\}", notice)
    return re.compile(".*".join(re.escape(part.replace("{{", "{").replace("}}", "}")) for part in fixed), re.DOTALL)
