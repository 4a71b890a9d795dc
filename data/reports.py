"""Feedback reports: what a student reads about their own weeks, in three styles of explanation.

A report answers where the student is going, how they are doing and what comes next. "How" follows a
theory: `nr` (necessary causes, robust explanation), `ac` (abnormal causes, recent events, controllable
factors) or `con` (target event, contrast event, key differences). It speaks only of feature-weeks in
the student's importances, with the values of the bundle, and of the probability never. Wording is
chosen by a generator seeded with student and theory, so a report is always the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from data.catalogue import Catalogue, load_catalogue
from data.course import BundleError, Course, Importance, Prerequisite, Student, Week
from data.report_actions import ACTIONS, DEFAULT_ACTION
from data.report_wording import (
    ALONE,
    CLAUSES,
    CLOSINGS,
    COMPARED,
    CONTRAST,
    DEFAULT_CLAUSES,
    ECHOED,
    GOALS,
    LEADS,
    LINKED,
    NAMES,
    PLAIN_ACTION,
    REASONS,
    REMARKS,
    STATUS,
    UNEXPLAINED,
    Phrases,
)

THEORIES = ("nr", "ac", "con")
FEWEST_WORDS, MOST_WORDS = 110, 165
ATTEMPTS = 50  # drafts with other wording until one keeps to the length
# Findings come from the student's most important feature-weeks only.
TOP = 6


@dataclass(frozen=True, slots=True)
class Finding:
    """One feature-week of a student as it is said: the shown value and the class's shown median."""

    week: int
    feature: str
    label: str
    value: str
    typical: str


class _Writer:
    """Chooses and fills the phrases of one report."""

    def __init__(self, course: Course, student: Student, draft: str) -> None:
        self.course = course
        self.outcome = student.predicted
        self.random = random.Random(f"{course.id}.{student.id}.{draft}")
        self.catalogue = load_catalogue()
        self._used: set[str] = set()

    def pick(self, phrases: Phrases) -> str:
        """One of the phrases, none twice as long as there are others."""
        fresh = [phrase for phrase in phrases if phrase not in self._used]
        chosen = self.random.choice(fresh or list(phrases))
        self._used.add(chosen)
        return chosen

    def clause(self, finding: Finding) -> str:
        """E.g. "your total study time was 95 minutes"."""
        phrase = self.pick(CLAUSES.get(finding.feature, DEFAULT_CLAUSES))
        return phrase.format(label=finding.label, value=finding.value)

    def compared(self, finding: Finding) -> str:
        """The student's value of one week beside the class's."""
        return self._said(COMPARED[self.outcome], finding)

    def alone(self, finding: Finding) -> str:
        """The student's value of one week."""
        return self._said(ALONE, finding)

    def contrast(self, finding: Finding) -> str:
        """What the class does, and what this would mean for the student."""
        phrase = self.pick(CONTRAST[self.outcome])
        return phrase.format(week=finding.week, label=finding.label, typical=finding.typical)

    def echoed(self, finding: Finding) -> str:
        """A behaviour in one more week."""
        return self._said(ECHOED[self.outcome], finding)

    def remark(self, part: str) -> str:
        """What closes a named part."""
        return self.pick(REMARKS[part][self.outcome])

    def reason(self, finding: Finding) -> str:
        """Why this behaviour matters."""
        return self.pick(REASONS[self.catalogue.by_name(finding.feature).dimension or "effort"])

    def _said(self, phrases: Phrases, finding: Finding) -> str:
        phrase = self.pick(phrases)
        return phrase.format(week=finding.week, clause=self.clause(finding), typical=finding.typical)


def write_report(course: Course, student: Student, theory: str) -> str:
    """The report in Markdown: FEWEST_WORDS to MOST_WORDS words, no headers, ending with a newline.

    Raises BundleError if the wording leaves no way to keep to the length.
    """
    for attempt in range(ATTEMPTS):
        report = _draft(_Writer(course, student, f"{theory}.{attempt}"), student, theory)
        if FEWEST_WORDS <= _words(report) <= MOST_WORDS:
            return report
    wanted = f"{FEWEST_WORDS} to {MOST_WORDS} words"
    raise BundleError(f"{student.id}.{theory}: no draft of {wanted}; shorten the phrases in report_wording")


def _draft(writer: _Writer, student: Student, theory: str) -> str:
    found = findings(writer.course, student, writer.catalogue)
    goal = writer.pick(GOALS).format(course=writer.course.title)
    opening = f"{goal} {writer.pick(STATUS[student.predicted])}"
    told, extra = _explained(writer, theory, found) if found else _unexplained(writer, theory)
    steps = _steps(writer, [each.feature for each in found] or [""])
    tail = [writer.pick(LEADS), "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1))]
    room = MOST_WORDS - _words(_layout(opening, told, tail))
    kept = _fitting(writer, [*extra, ("", writer.pick(CLOSINGS[student.predicted]))], room)
    for part, sentence in kept:
        if part:
            told[part] += f" {sentence}"
        else:
            tail.append(sentence)
    return _layout(opening, told, tail) + "\n"


def _fitting(writer: _Writer, extra: list[tuple[str, str]], room: int) -> list[tuple[str, str]]:
    """As many further sentences as there is room for, taken by chance, told in their order."""
    taken: set[int] = set()
    for index in writer.random.sample(range(len(extra)), len(extra)):
        size = _words(extra[index][1])
        if size <= room:
            taken.add(index)
            room -= size
    return [extra[index] for index in sorted(taken)]


def _layout(opening: str, parts: dict[str, str], tail: list[str]) -> str:
    bullets = "\n".join(f"- **{name}:** {text}" for name, text in parts.items())
    return "\n\n".join([opening, bullets, *tail])


def _words(text: str) -> int:
    return len(text.split())


def findings(course: Course, student: Student, catalogue: Catalogue) -> list[Finding]:
    """The student's most important feature-weeks, different features first, each as it is said."""
    top = [_finding(course, student, one, catalogue) for one in _ranked(student)[:TOP]]
    told = [each for each in top if each is not None]
    first: dict[str, Finding] = {}
    for each in told:
        first.setdefault(each.feature, each)
    return [*first.values(), *(each for each in told if each not in first.values())]


def _ranked(student: Student) -> list[Importance]:
    return sorted(student.importances, key=lambda one: (-one.importance, one.week, one.feature))


def _finding(course: Course, student: Student, one: Importance, catalogue: Catalogue) -> Finding | None:
    """None when nothing could be told apart from the class, for lack of a value or by rounding."""
    value = student.features.get((one.feature, one.week))
    typical = course.typical(one.feature, one.week)
    if value is None or typical is None:
        return None
    feature = catalogue.by_name(one.feature)
    own, usual = feature.shown(value), feature.shown(typical)
    return None if own == usual else Finding(one.week, one.feature, feature.label, own, usual)


Parts = tuple[dict[str, str], list[tuple[str, str]]]


def _explained(writer: _Writer, theory: str, found: list[Finding]) -> Parts:
    """The named parts, and further sentences (part, sentence) to add while there is room."""
    build = {"nr": _necessary, "ac": _abnormal, "con": _contrasted}[theory]
    return build(writer, NAMES[theory], found)


def _necessary(writer: _Writer, names: tuple[str, str, str], found: list[Finding]) -> Parts:
    first, second = found[0], found[1 % len(found)]
    told = (first.feature, second.feature)
    again = next((each for each in found[2:] if each.feature in told), None)
    third = again or found[2 % len(found)]
    robust = writer.echoed(third) if again else writer.compared(third)
    parts = {names[0]: f"{writer.compared(first)} {writer.compared(second)}", names[1]: robust}
    return parts, [
        (names[0], writer.remark(names[0])),
        (names[0], writer.reason(first)),
        (names[1], writer.remark(names[1])),
        (names[1], writer.reason(third)),
    ]


def _abnormal(writer: _Writer, names: tuple[str, str, str], found: list[Finding]) -> Parts:
    first, *rest = found
    recent = max(rest, key=lambda each: each.week) if rest else first
    left = [each for each in rest if each != recent] or [recent]
    # What one decides is behaviour; how well a quiz went is its result.
    free = [each for each in left if writer.catalogue.by_name(each.feature).dimension != "assessment"]
    chosen = (free or left)[0]
    parts = {name: writer.compared(each) for name, each in zip(names, (first, recent, chosen), strict=True)}
    remarks = [(name, writer.remark(name)) for name in names]
    return parts, [*remarks, (names[0], writer.reason(first)), (names[2], writer.reason(chosen))]


def _contrasted(writer: _Writer, names: tuple[str, str, str], found: list[Finding]) -> Parts:
    first, second = found[0], found[1 % len(found)]
    told = (writer.alone(first), writer.contrast(first), writer.compared(second))
    more = [writer.compared(third)] if (third := found[2 % len(found)]) not in (first, second) else []
    differences = [*more, writer.remark(names[2]), writer.reason(second)]
    extra = [(names[0], writer.reason(first)), *((names[2], sentence) for sentence in differences)]
    return dict(zip(names, told, strict=True)), extra


def _unexplained(writer: _Writer, theory: str) -> Parts:
    """Honest parts for a student whose outlook no short list of changes would turn."""
    told = UNEXPLAINED[writer.outcome]
    names = [name for name in NAMES[theory] if name]
    parts = {name: writer.pick(phrases) for name, phrases in zip(names, told, strict=False)}
    more = [writer.pick(REASONS[dimension]) for dimension in ("consistency", "assessment", "effort")]
    return parts, [(name, sentence) for name, sentence in zip([*names, names[0]], more, strict=False)]


def _steps(writer: _Writer, features: list[str]) -> tuple[str, str]:
    """Two actions, the first for the next week, the second for a later one."""
    course = writer.course
    teaching = [week for week in course.plan if week.number > course.weeks_done]
    coming, later = teaching[0], writer.random.choice(teaching[1:4])
    second = next((feature for feature in features if feature != features[0]), features[0])
    return _step(writer, coming, features[0]), _step(writer, later, second)


def _step(writer: _Writer, week: Week, feature: str) -> str:
    action = writer.pick(ACTIONS.get(feature, DEFAULT_ACTION)[writer.outcome])
    links = [edge for edge in writer.course.prerequisites if edge.topic in week.topics]
    if links and writer.random.random() < 0.65:
        return _linked(writer, week, action, writer.random.choice(links))
    topic = writer.random.choice(week.topics)
    return writer.pick(PLAIN_ACTION).format(week=week.number, title=week.title, topic=topic, action=action)


def _linked(writer: _Writer, week: Week, action: str, edge: Prerequisite) -> str:
    earlier = writer.course.week_of(edge.needs)
    slots = {"week": week.number, "topic": edge.topic, "needs": edge.needs, "earlier": earlier}
    return writer.pick(LINKED).format(action=action, **slots)
