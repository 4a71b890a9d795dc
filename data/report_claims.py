"""Does a feedback report agree with the data it speaks of?

Reads a report sentence by sentence, the way a student would: which behaviour, which week, which value.
It knows nothing of how reports are written, so it can also check reports that a person edited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from data.catalogue import Catalogue, Feature, load_catalogue
from data.course import Course, Importance, Student

# A report may speak of this many of the student's most important feature-weeks.
TOP = 6
# The three questions' parts by theory, as they are named in bold.
PARTS = (
    ("Necessary causes", "Robust explanation"),
    ("Abnormal causes", "Recent events", "Controllable factors"),
    ("Target event", "Contrast event", "Key differences"),
)

_WEEK = re.compile(r"\bweek (\d+)\b", re.IGNORECASE)
_MARKUP = re.compile(r"^(?:- )?(?:\*\*[^*]+\*\* ?)?(?:\d+\. )?")
_CLASS = re.compile(r"\b(?:class|typical)\b")
_CAMEL = re.compile(r"\b(?:[A-Z][a-z]+){2,}[A-Za-z]*\b")
_UNSAID = re.compile(r"%|probabilit|predict|\*\*where|^#", re.IGNORECASE | re.MULTILINE)


def claims_agree(report: str, student: Student, course: Course) -> list[str]:
    """What is wrong with a report; empty when every statement agrees with the data.

    Checked are the named parts, that nothing is said which must not be, and in each sentence: values
    with their behaviour and week, that these are among the student's top importances and on the side of
    the class that the importance says, and that topics and titles belong to the weeks named with them.
    """
    wrong = []
    if tuple(re.findall(r"\*\*([^*:]+):\*\*", report)) not in PARTS:
        wrong.append("the parts named in bold are not those of one theory")
    wrong += [f"must not be said: {match.group()}" for match in _UNSAID.finditer(report)]
    wrong += [f"a technical name: {match.group()}" for match in _CAMEL.finditer(report)]
    for sentence in _sentences(report):
        reasons = [*_values(sentence, student, course), *_topics(sentence, course)]
        wrong += [f"{reason}: {sentence}" for reason in reasons]
    return wrong


def _sentences(report: str) -> Iterator[str]:
    for line in report.splitlines():
        yield from (each for each in re.split(r"(?<=[.!?])\s+", _MARKUP.sub("", line)) if each)


def _values(sentence: str, student: Student, course: Course) -> Iterator[str]:
    """Complaints about the values in a sentence, if it has any."""
    catalogue = load_catalogue()
    weeks = [int(number) for number in _WEEK.findall(sentence)]
    said = [match.group() for match in _quantity(catalogue).finditer(sentence)]
    rest = _quantity(catalogue).sub("", _WEEK.sub("", sentence))
    if re.search(r"\d", rest):
        yield "a number that is no value of a behaviour"
    labels = _labels(sentence, catalogue)
    if not said:
        if labels and weeks and max(weeks) <= course.weeks_done:
            yield from _unimportant(labels[0], weeks, student)
        return
    if len(labels) != 1 or not weeks:
        yield f"values need one behaviour and a week, not {[each.label for each in labels]} and {weeks}"
        return
    yield from _unimportant(labels[0], weeks, student)
    yield from _compared(labels[0], weeks, said, sentence, student, course)


def _compared(
    feature: Feature, weeks: list[int], said: list[str], sentence: str, student: Student, course: Course
) -> Iterator[str]:
    """The student's value comes first, the class's, if it is mentioned, last."""
    week = weeks[0]
    own, usual = student.features.get((feature.name, week)), course.typical(feature.name, week)
    if own is None or usual is None or len(weeks) != 1:
        yield "the value is missing in the data or the week is not clear"
        return
    expected = [feature.shown(own)]
    if _CLASS.search(sentence):
        expected = [feature.shown(own), feature.shown(usual)][-len(said) :]
        upward = [one.direction == "increase" for one in student.in_week(week) if one.feature == feature.name]
        if upward and upward[0] != (own < usual):
            yield "the class lies on the other side than the importance says"
    if said != expected:
        yield f"the data say {expected}, not {said}"


def _unimportant(feature: Feature, weeks: list[int], student: Student) -> Iterator[str]:
    ranked = sorted(student.importances, key=_rank)[:TOP]
    top = {(one.feature, one.week) for one in ranked}
    yield from (
        f"{feature.label} in week {week} is not among the top {TOP} importances"
        for week in weeks
        if (feature.name, week) not in top
    )


def _rank(one: Importance) -> tuple[float, int, str]:
    return -one.importance, one.week, one.feature


def _topics(sentence: str, course: Course) -> Iterator[str]:
    weeks = [int(number) for number in _WEEK.findall(sentence)]
    for number in weeks:
        if not 1 <= number <= course.weeks:
            yield f"the course has no week {number}"
    for title in re.findall(r"\bweek \d+ \(([^)]+)\)", sentence):
        if title not in [week.title for week in course.plan if week.number in weeks]:
            yield f"{title!r} is not the title of week {weeks}"
    for topic in sorted(course.topics, key=len, reverse=True):
        found = re.search(rf"(?<!\w){re.escape(topic)}(?!\w)", sentence)
        if found and course.week_of(topic) not in weeks:
            yield f"{topic} is not taught in week {weeks}"
        sentence = sentence.replace(topic, "")  # "JPEG" inside a longer topic is not meant


def _labels(sentence: str, catalogue: Catalogue) -> list[Feature]:
    found = []
    for feature in sorted(catalogue, key=lambda one: len(one.label), reverse=True):
        if re.search(rf"(?<!\w){re.escape(feature.label)}(?!\w)", sentence):
            found.append(feature)
            sentence = sentence.replace(feature.label, "")
    return found


@cache
def _quantity(catalogue: Catalogue) -> re.Pattern[str]:
    """Matches what `Feature.shown` says, e.g. "less than 1 percent" or "1.2 thousand clicks"."""
    units = {unit for feature in catalogue for unit in (feature.unit, feature.below_zero) if unit}
    # "session" for "sessions", the longest unit first: "hours early" before "hours".
    spelled = [re.sub(r"s(?= |$)", "s?", re.escape(unit).replace(r"\ ", " ")) for unit in units]
    choices = "|".join(sorted(spelled, key=len, reverse=True))
    return re.compile(rf"(?:less than )?\d+(?:\.\d+)?(?: thousand| million)? (?:{choices})\b")
