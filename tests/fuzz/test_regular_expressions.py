"""No regular expression of the house takes time that grows faster than its text; counted in steps, not seconds.

Each is held against its own pieces, written over and over, once and twice as long. Of a text twice as long, twice the
steps are due, and a little more for what happens once.
"""

import re

import pytest

from scribe.grounding.check import cut_runs
from tests.fuzz.house_patterns import HousePattern, list_patterns
from tests.fuzz.regex_steps import StepCounter, TooManySteps, list_pumps

LENGTH = 36
ENOUGH, GROWTH, TOO_MANY = 1500, 3.0, 10**9
PIECES = 4
BOUNDED = {
    "scribe.streaming:_NUMBERED": "looks at the last 31 letters",
    "scribe.grounding.amounts:_WORDS": "looks at the 30 letters before a number",
    "eval.tool_use.checks:_notice_patterns": "held against whole complaints, which the loop itself writes and cuts",
    "finetune.": "reads what was made by us for training, a line at a time",
    "data.build.": "reads what the person who builds a course hands in, field by field",
}
"""Where a pattern may grow faster, by how its place begins, and what bounds its text."""


def count(each: HousePattern, text: str) -> int:
    """The steps on a text, as the check before an answer sees it where that is whose pattern it is."""
    told = cut_runs(text) if each.place.startswith("scribe.grounding.") else text
    counter = StepCounter(each.pattern, told, 200_000)
    try:
        return counter.count_match() if each.anchored else counter.count_search()
    except TooManySteps:
        return TOO_MANY


def find_quadratic(each: HousePattern, pieces: int = PIECES) -> list[tuple[str, int, int]]:
    """Pieces on which the steps grow too fast, with the steps on a text and on one twice as long."""
    found = []
    for pump in list_pumps(each.pattern, pieces):
        times = max(3, LENGTH // len(pump))
        few, many = (count(each, pump * factor * times + "\x01") for factor in (1, 2))
        grows = many > ENOUGH and many > GROWTH * few
        if many == TOO_MANY or (grows and count(each, pump * 4 * times + "\x01") > GROWTH * many):
            found.append((pump, few, many))
    return found


def test_the_counting_sees_what_is_quadratic_and_what_is_not() -> None:
    for pattern in (r"\s+$", r"(a+)+b", r"a.*b.*c", r"x*y"):
        assert find_quadratic(HousePattern("", re.compile(pattern), False)), pattern
    for pattern in (r"\s+", r"(?<![ab])[ab]*+c", r"a[^a]*b", r"\bword\b"):
        assert not find_quadratic(HousePattern("", re.compile(pattern), False)), pattern
    assert not find_quadratic(HousePattern("", re.compile(r"\s+$"), True))


@pytest.mark.parametrize(
    "pattern", [r"(?i)[^\W\d]+(?=x)|(?<!a)b{2,3}?", r"a(?:bc|b)*+d", r"^(\w)x?\1$", r"(?m)^#.*$|[^a-c]"]
)
@pytest.mark.parametrize("text", ["", "abx", "BBB bb", "abcbcd", "aa", "axa", "a#\n#b\nc", "éX"])
def test_the_counter_matches_what_python_matches(pattern: str, text: str) -> None:
    compiled = re.compile(pattern)
    found = compiled.match(text)
    assert StepCounter(compiled, text)._end_from(0) == (found.end() if found else None)


def test_no_pattern_grows_faster_than_its_text() -> None:
    patterns = list_patterns()
    assert len(patterns) > 200
    slow = {each.place: found[:2] for each in patterns if (found := find_quadratic(each))}
    assert not {place: found for place, found in slow.items() if not place.startswith(tuple(BOUNDED))}
