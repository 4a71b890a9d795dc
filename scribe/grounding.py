"""The guard before an answer reaches a student: what it names must be in the report or an observation.

Covered: weeks ("week 5", "weeks 6 to 8", "semaine 5", weeks spelled out up to twelve), every number
written in digits, behavioural features under any of their names, and the course's topics. A week must be
supported *as a week*: five quizzes do not support "week 5".

The line on the course supports only the weeks it names and its own words; what a tool merely repeats of a
call supports nothing. What a web search found supports numbers and names, but no week: it knows none of the course's.

Not covered: numbers spelled out other than a first week, signs, ordinals, whether a number belongs to the
feature or week it is put beside, negation, comparisons ("more than the class"), advice, and anything said
without a number or a name. Names of features and topics may also come from the question or earlier exchanges,
since naming what was asked about claims nothing; weeks and numbers may not.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scribe.messages import defuse
from scribe.trajectory import Trajectory

_WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_WEEK = re.compile(
    # A comma goes on with a list only after the plural: "in week 5, 12 videos" names one week.
    r"\b(?:week|wk|semaine)(?P<plural>s)?\b[ \-_]*(?P<first>\d{1,9}|" + "|".join(_WORDS) + r")"
    r"(?P<more>(?:\s*(?:(?(plural),|(?!))|and|et|or|ou|&|to|à|until|through|-|–)+"
    r"\s*(?:weeks?\s+|semaines?\s+)?\d{1,9})*)",
    re.IGNORECASE,
)
_WEEK_KEY = re.compile(r'"[a-z_]*weeks?[a-z_]*":\s*\[?([\d,\s]+)', re.IGNORECASE)
_RANGE = re.compile(r"(\d+)\s*(?:to|à|until|through|-|–)\s*(?:weeks?\s+|semaines?\s+)?(\d+)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_LIST_MARK = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The names that an answer can get wrong: each feature and each topic with all its names.

    outside: tools that tell of the world and not of the course; the weeks that they name are not the course's.
    """

    features: tuple[tuple[str, ...], ...] = ()
    topics: tuple[tuple[str, ...], ...] = ()
    outside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Grounding:
    """The check for one course; call it with a trajectory and the answer that wants to leave."""

    lexicon: Lexicon

    def __call__(self, trajectory: Trajectory, answer: str) -> Sequence[str]:
        """What the answer names that nothing supports, as phrases such as `week 7` or `the number 12`."""
        facts = "\n".join(_facts(trajectory))
        about = trajectory.task.about
        inside = "\n".join(_facts(trajectory, self.lexicon.outside))
        claimed = weeks(_without_quoted_weeks(answer, about)) - weeks(inside) - _named_weeks(about)
        complaints = [f"week {week}" for week in sorted(claimed)]
        unsupported = numbers(_without_weeks(answer)) - numbers(facts)
        complaints += [f"the number {number}" for number in sorted(unsupported)]
        known = "\n".join([facts, about, *_asked(trajectory)])
        groups = (*self.lexicon.features, *self.lexicon.topics)
        complaints += [f"“{name}”" for name in _unknown_names(answer, known, groups)]
        return tuple(defuse(complaint) for complaint in complaints)


def weeks(text: str) -> frozenset[int]:
    """The weeks that a text names, ranges filled in."""
    found: set[int] = set()
    for match in _WEEK.finditer(text):
        first, more = match["first"].lower(), match["more"]
        found.add(_WORDS.index(first) + 1 if first in _WORDS else int(first))
        found.update(int(number) for number in re.findall(r"\d+", more))
        for low, high in _RANGE.findall(f"{first}{more}"):
            found.update(range(int(low), min(int(high), int(low) + 60) + 1))
    for match in _WEEK_KEY.finditer(text):
        found.update(int(number) for number in re.findall(r"\d{1,9}", match.group(1)))
    return frozenset(found)


def numbers(text: str) -> frozenset[str]:
    """The numbers written in a text, in one spelling: no thousands commas, no needless zeros."""
    return frozenset(_spelled(found) for found in _NUMBER.findall(_LIST_MARK.sub("", text)))


def _spelled(number: str) -> str:
    whole = number.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", number) else number
    whole = whole.replace(",", ".")
    if whole.count(".") == 1:
        whole = whole.rstrip("0").rstrip(".")
    return whole.lstrip("0") or "0"


def _without_weeks(text: str) -> str:
    return _WEEK.sub(" ", text)


def _without_quoted_weeks(answer: str, about: str) -> str:
    """The answer without what it says of the weeks in the very words of the line on the course."""
    for phrase in sorted({match.group() for match in _WEEK.finditer(about)}, key=len, reverse=True):
        answer = answer.replace(phrase, " ")
    return answer


def _named_weeks(about: str) -> frozenset[int]:
    """The weeks that the line on the course names itself: "weeks 1 to 10" does not support week 7."""
    return frozenset(int(number) for match in _WEEK.finditer(about) for number in re.findall(r"\d+", match.group()))


def _facts(trajectory: Trajectory, but: frozenset[str] = frozenset()) -> Iterable[str]:
    """The report and what tools but these said, without weeks and numbers that only repeat the model's own words."""
    yield trajectory.task.report
    for act in trajectory.acts:
        pairs = zip(act.calls, act.observations, strict=True)
        for call, observation in (pair for pair in pairs if pair[0].name not in but):
            content = observation.content
            for value in (call.name, *call.arguments.values()):
                if isinstance(value, str) and (weeks(value) or numbers(value)):
                    content = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", " ", content)
            yield content


def _asked(trajectory: Trajectory) -> Iterable[str]:
    yield trajectory.task.question
    for exchange in trajectory.task.history:
        yield exchange.question
        yield exchange.answer


def _unknown_names(answer: str, known: str, groups: Sequence[Sequence[str]]) -> list[str]:
    """Names in the answer of which no synonym is in `known`; the longest name wins where names overlap."""
    rest, unknown = answer, []
    by_length = sorted(((name, group) for group in groups for name in group), key=lambda pair: -len(pair[0]))
    for name, group in by_length:
        pattern = _pattern(name)
        if pattern.search(rest):
            rest = pattern.sub(" ", rest)
            if not any(_pattern(synonym).search(known) for synonym in group):
                unknown.append(name)
    return unknown


def _pattern(name: str) -> re.Pattern[str]:
    flags = re.NOFLAG if name.isupper() else re.IGNORECASE
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", flags)
