"""The guard before an answer reaches a student: what it names must be in the report or an observation.

Covered: weeks ("week 5", "weeks 6 to 8", "semaine 5", "la 5e semaine", weeks spelled out up to twelve), every number
written in digits ("1.5" and "1,5" are one), behavioural features under any of their names, in both languages in a
French course, and the course's topics. A week must be
supported *as a week*: five quizzes do not support "week 5".

The line on the course supports only the weeks it names and its own words; what a tool merely repeats of a
call supports nothing. What a web search found supports numbers and names, but no week: it knows none of the course's.

Not covered: numbers spelled out other than a first week, signs, ordinals, whether a number belongs to the
feature or week it is put beside, negation, comparisons ("more than the class"), advice, and anything said
without a number or a name. Names of features and topics may also come from the question or earlier exchanges,
since naming what was asked about claims nothing; weeks and numbers may not.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scribe.figures import closed_up, in_french, in_full, named_weeks, numbers, weeks, without_weeks
from scribe.messages import defuse
from scribe.trajectory import Trajectory


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
        complaints += [f"the number {number}" for number in sorted(_unsupported(without_weeks(answer), facts))]
        known = "\n".join([facts, about, *_asked(trajectory)])
        groups = (*self.lexicon.features, *self.lexicon.topics)
        complaints += [f"“{name}”" for name in _unknown_names(answer, known, groups)]
        return tuple(defuse(complaint) for complaint in complaints)


def _unsupported(answer: str, facts: str) -> frozenset[str]:
    """The numbers of an answer that no fact holds; thousands may be set apart by a space, as French does."""
    known = numbers(facts) | in_full(facts)
    return min((numbers(answer) - known, numbers(closed_up(answer)) - known), key=len)


def _without_quoted_weeks(answer: str, about: str) -> str:
    """The answer without what it says of the weeks in the very words of the line on the course, or in French."""
    for phrase in named_weeks(about):
        for said in (phrase, *in_french(phrase)):
            answer = answer.replace(said, " ")
    return answer


def _named_weeks(about: str) -> frozenset[int]:
    """The weeks that the line on the course names itself: "weeks 1 to 10" does not support week 7."""
    return frozenset(int(number) for phrase in named_weeks(about) for number in re.findall(r"\d+", phrase))


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
    rest, known, unknown = _plain(answer), _plain(known), []
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
    return re.compile(rf"(?<!\w){re.escape(_plain(name))}(?!\w)", flags)


def _plain(text: str) -> str:
    """With letters and accents as one sign, straight apostrophes and ordinary spaces."""
    return unicodedata.normalize("NFC", text).replace("’", "'").replace("\u00a0", " ").replace("\u202f", " ")
