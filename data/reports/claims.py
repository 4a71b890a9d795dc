"""Does a feedback report agree with the data it speaks of?

The checker reads a report (see `reading`) and holds each statement against the student's rows and the course. It
shares no code with the composition in this package, so what one gets wrong the other can notice, and it reads reports
that a language model wrote or a person edited just as well. What it cannot read it asks to be said more plainly.

Covered: values, whose they are, comparisons and places in the class; which behaviours and weeks may be named at all;
what alone is enough (sufficient), what repeats, what is recent; the status; the marks where they and the outlook
disagree; weeks, topics, titles, translations and prerequisites; the two actions; words that must not be said, and
sentences on the student that are of no known kind. Not covered: whether advice is good, general reasons why something
matters, tone, and what is put beside a true value without any of these.
"""

import re
from collections.abc import Iterator

from data.catalogue import load_catalogue
from data.course import Course, Student
from data.reports.claims_marks import about_marks, mark_faults, silence
from data.reports.claims_open import open_faults
from data.reports.claims_topics import step_faults, topic_faults
from data.reports.claims_values import value_faults
from data.reports.facts import Facts
from data.reports.reading import Sentence, read

# The three theories' parts, as they are named in bold.
PARTS = (
    ("Necessary causes", "Robust explanation"),
    ("Abnormal causes", "Recent events", "Controllable factors"),
    ("Target event", "Contrast event", "Key differences"),
)
_UNSAID = re.compile(r"%|probabilit|predict|likelihood|\b(?:the|our) model\b|\balgorithm|\*\*where|^#", re.IGNORECASE)
_CAMEL = re.compile(r"\b(?:[A-Z][a-z]+){2,}[A-Za-z]*\b|\b[a-z]+(?:_[a-z]+)+\b")
_BAD_NEWS = re.compile(
    r"\b(?:at risk|not (?:yet )?on track|you are behind|gap to close|probably not be enough|in danger|"
    r"does not lead|worried|(?:weaker|harder) than we hoped|hard to get there|would change (?:something|first))\b",
    re.IGNORECASE,
)
_GOOD_NEWS = re.compile(
    r"\b(?:(?<!not )(?<!not yet )on track|on a good path|well placed|well done|things look good|paying off|"
    r"I am pleased|points (?:clearly|firmly) in the right|(?:serves|supports) this goal well|doing (?:very )?well|"
    r"can get there if you (?:carry|go) on|made the difference)\b",
    re.IGNORECASE,
)
_ENOUGH = re.compile(
    r"\b(?:alone|on (?:its|their) own|even if|(?:everything|all|whatever) else|by (?:itself|themselves)|no matter)\b",
    re.IGNORECASE,
)
_ONE_OF_SOME = re.compile(r"\b(?:group|among|part of|one of|together with|belongs? to)\b", re.IGNORECASE)
_NOT_ENOUGH = re.compile(r"\bno (?:small group|few points|single|one)\b[^.]*\b(?:alone|by itself)\b", re.IGNORECASE)
_AGAIN = re.compile(
    r"\b(?:shows again|pattern (?:repeats|holds)|more than one week|not about a single week|several weeks|"
    r"see it in week \d+ (?:too|as well))\b",
    re.IGNORECASE,
)
_RARE = re.compile(
    r"\b(?:few others|unusual|sets you apart|stands? apart|unlike those|differs clearly)\b", re.IGNORECASE
)
_LATEST = re.compile(r"\b(?:latest|most recent|newest|last concluded) week\b|\blast week\b(?! of)", re.IGNORECASE)
_QUIET = re.compile(r"\blast two weeks\b.*\b(?:nothing|no )|\bnothing\b.*\blast two weeks\b", re.IGNORECASE)
_UNCLEAR = re.compile(r"\bno clear direction\b", re.IGNORECASE)
_HEAVIEST = re.compile(r"\b(?:(?:weighs?|matters?|counts?) (?:the )?most|most important|main cause)\b", re.IGNORECASE)
_NOT_EXPLAINED = re.compile(
    r"\b(?:found none|no(?:t name a)? single (?:behaviour|habit)|no one change|nothing stands out as the one|"
    r"small changes would (?:alter little|hardly alter))\b",
    re.IGNORECASE,
)
_RESULTS = {"CompetencyStrength", "CompetencyAlignment", "StudentShape"}


class Checker:
    """Checks reports of one course; the class's medians are found once, which makes the second report quicker."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._medians: dict[tuple[str, int], float | None] = {}

    def __call__(self, report: str, student: Student) -> list[str]:
        """What is wrong with a report, each with its sentence; empty when every statement agrees with the data."""
        return _faults(report, Facts(student, self._course, self._medians))


def claims_agree(report: str, student: Student, course: Course) -> list[str]:
    """What is wrong with a report; for many reports of one course make one `Checker`."""
    return Checker(course)(report, student)


def parts_named(report: str) -> tuple[str, ...]:
    """The names in bold, in their order."""
    return tuple(re.findall(r"\*\*([^*:]+):?\*\*", report))


def _faults(report: str, facts: Facts) -> list[str]:
    sentences = read(report, facts.course)
    wrong = [*_form(report), *step_faults(sentences, facts.course), *silence(sentences, facts)]
    wrong += [*_repeats(sentences, facts), *_rarely(sentences, facts)]
    for one in sentences:
        reasons = [
            *(f"must not be said ({match.group()})" for match in _UNSAID.finditer(one.plain)),
            *(mark_faults(one, facts) if about_marks(one) else value_faults(one, facts)),
            *open_faults(one, facts),
            *topic_faults(one, facts.course),
            *_named(one, facts),
            *_robust(one, facts),
            *_standing(one, facts),
        ]
        wrong += [f"{reason}: {one.text}" for reason in reasons]
    return wrong


def _form(report: str) -> Iterator[str]:
    if parts_named(report) not in PARTS:
        yield "the parts named in bold are not those of one theory"
    names = (match.group() for match in _CAMEL.finditer(report))
    yield from (f"a technical name: {name}" for name in names if _is_technical(name))


def _is_technical(word: str) -> bool:
    return "_" in word or word in load_catalogue()


def _named(sentence: Sentence, facts: Facts) -> Iterator[str]:
    """Only behaviours and weeks that the explanation knows may be named, in a way that makes sense of them."""
    places = facts.enough | facts.weighing.keys()
    names = {name for name, _ in places}
    for feature, _ in sentence.features:
        if feature.name not in names:
            yield f"{feature.label} is not part of the explanation"
    if sentence.step:
        return
    for feature, week in sentence.pairs:
        place = feature.name, week
        if not facts.is_over(week):
            yield f"week {week} is not over yet"
        elif place not in places:
            yield f"{feature.label} in week {week} is not part of the explanation"
        elif facts.fitting and place not in facts.fitting | facts.enough:
            # Such an importance is no finding while there are others.
            yield f"the explanation and the value of {feature.label} in week {week} point in different directions"


def _robust(sentence: Sentence, facts: Facts) -> Iterator[str]:
    """What alone keeps the prediction must be the sufficient points, all of them or said to be some."""
    if _NOT_ENOUGH.search(sentence.text) and facts.enough:
        yield "there are points that alone are enough"
    if sentence.step or not sentence.pairs or not _ENOUGH.search(sentence.plain):
        return
    said = {(feature.name, week) for feature, week in sentence.pairs}
    if not said <= facts.enough:
        yield "this alone is not known to be enough"
    elif said != facts.enough and not _ONE_OF_SOME.search(sentence.text):
        yield "these points are enough only together with others"


def _standing(sentence: Sentence, facts: Facts) -> Iterator[str]:
    """Status, weight, what one can decide, and whether there is an explanation at all."""
    wrong_news = _BAD_NEWS if facts.student.predicted == "pass" else _GOOD_NEWS
    if (match := wrong_news.search(sentence.text)) and not sentence.step:
        yield f"{match.group()!r} does not fit the outlook"
    if facts.student.explained and _NOT_EXPLAINED.search(sentence.text):
        yield "there is an explanation for this student"
    if sentence.part == "Controllable factors":
        yield from (f"{one.label} is a result" for one, _ in sentence.features if one.name in _RESULTS)
    if _HEAVIEST.search(sentence.text) and sentence.pairs and not _holds_the_heaviest(sentence, facts.student):
        yield "something else weighs more"
    yield from _recent(sentence, facts)


def _holds_the_heaviest(sentence: Sentence, student: Student) -> bool:
    top = max(student.importances, key=lambda one: one.importance, default=None)
    return top is not None and any((one.name, week) == (top.feature, top.week) for one, week in sentence.pairs)


def _recent(sentence: Sentence, facts: Facts) -> Iterator[str]:
    """What is called recent, and what the last two weeks are said not to show."""
    last = facts.course.weeks_done
    done = [week for _, week in sentence.pairs if facts.is_over(week)]
    if _LATEST.search(sentence.text) and done and max(done) != last:
        yield f"the latest concluded week is week {last}"
    if sentence.part == "Recent events" and any(week <= last - 2 for week in done):
        yield f"recent are weeks {last - 1} and {last}"
    if _UNCLEAR.search(sentence.text):
        if any(week > last - 2 for _, week in facts.fitting):
            yield "the last two weeks do show a direction"
    elif _QUIET.search(sentence.text) and any(week > last - 2 for _, week in facts.weighing):
        yield "something in the last two weeks does weigh"


def _rarely(sentences: list[Sentence], facts: Facts) -> Iterator[str]:
    """ "Few others show this" needs a value, told in the same part, that nine in ten of the class stay clear of."""
    for one in sentences:
        if one.part == "Abnormal causes" and _RARE.search(one.text):
            told = [pair for other in sentences if other.part == one.part for pair in other.pairs]
            if not any(facts.is_rare((feature.name, week)) for feature, week in told):
                yield f"this is not that rare in the class: {one.text}"


def _repeats(sentences: list[Sentence], facts: Facts) -> Iterator[str]:
    """ "It shows again in week 4" needs another week in which the same was told."""
    told = {(feature, week) for one in sentences for feature, week in one.pairs if facts.is_over(week)}
    for one in sentences:
        if _AGAIN.search(one.text) and one.about is not None:
            feature, week = one.about
            if not any(feature == other and week != another for other, another in told):
                yield f"{feature.label} was told of no other week: {one.text}"
