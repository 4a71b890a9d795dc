"""Where to next: two actions, each tied to a coming week and one of its topics."""

from collections.abc import Sequence

from data.course import Course, Outcome, Prerequisite, Week
from data.reports.findings import Finding
from data.reports.naming import topic_name, week_name
from data.reports.phrasebook import Phrases, filled, phrases, wordings
from data.reports.voice import Voice

# How often a step says what its topic builds on, and how often a week comes with its title.
LINKED, TITLED = 0.7, 0.2
# The second step lies at most so many weeks behind the first.
HORIZON = 3


def two_steps(voice: Voice, findings: Sequence[Finding]) -> tuple[str, str]:
    """One action for the next week and one for a later one, about different behaviours where there are two."""
    coming = [week for week in voice.course.plan if week.number > voice.course.weeks_done]
    later = coming[1 : 1 + HORIZON] or coming[:1]
    first = _suited(voice, findings, coming[:1])
    rest = [one for one in findings if first is None or one.feature != first.feature]
    second = _suited(voice, rest, later) or (first if first and _possible(voice.course, first, later) else None)
    return _step(voice, coming[0], first), _step(voice, _week(voice, second, later), second)


def _suited(voice: Voice, findings: Sequence[Finding], weeks: Sequence[Week]) -> Finding | None:
    """The first finding that something can be done about in one of the weeks."""
    possible = [one for one in findings if _advice(one, voice.outcome) and _possible(voice.course, one, weeks)]
    return possible[0] if possible else None


def _possible(course: Course, finding: Finding, weeks: Sequence[Week]) -> bool:
    return any(_fits(course, finding, week) for week in weeks)


def _fits(course: Course, finding: Finding, week: Week) -> bool:
    """Quizzes where a quiz is advised, and a following week (with a quiz) where it is about working ahead."""
    wording = wordings()[finding.feature.name]
    needed = [week.number + wording.ahead] if wording.ahead else [week.number]
    quizzes = {each.number: each.quizzes for each in course.plan}
    return all(number in quizzes and (quizzes[number] > 0 or not wording.quiz) for number in needed)


def _week(voice: Voice, finding: Finding | None, weeks: Sequence[Week]) -> Week:
    return voice.chance.choice([one for one in weeks if finding is None or _fits(voice.course, finding, one)])


def _advice(finding: Finding, outcome: Outcome) -> Phrases:
    """What to do about a behaviour; nothing about one whose direction is unclear."""
    if not finding.clear:
        return ()
    wording, rising = wordings()[finding.feature.name], finding.change == "increase"
    if outcome == "fail":
        return wording.more if rising else wording.less
    return wording.low if rising else wording.high


def _step(voice: Voice, week: Week, finding: Finding | None) -> str:
    options = _advice(finding, voice.outcome) if finding else phrases("steps", "default", voice.outcome)
    action = voice.pick(options)
    links = [edge for edge in voice.course.prerequisites if edge.topic in week.topics and _reaches_back(voice, edge)]
    titled = voice.chance.random() < TITLED
    if links and voice.chance.random() < LINKED:
        # Two topics and a title, each in two languages, would be too much for one sentence.
        name = week_name(week, titled and not week.topics_en)
        return _linked(voice, voice.chance.choice(links), name, action)
    topic = topic_name(voice.course, voice.chance.choice(week.topics))
    return _advised(voice, "plain", action, week=week_name(week, titled), topic=topic)


def _linked(voice: Voice, edge: Prerequisite, week: str, action: str) -> str:
    course = voice.course
    kind = "because" if _why_can_be_said(course, edge) and voice.chance.random() < 0.4 else "linked"
    topic, needs = topic_name(course, edge.topic), topic_name(course, edge.needs)
    earlier = course.week_of(edge.needs)
    return _advised(voice, kind, action, week=week, topic=topic, needs=needs, earlier=earlier, why=edge.why)


def _advised(voice: Voice, kind: str, action: str, **slots: object) -> str:
    options = phrases("steps", kind)
    if "week" in action:  # "open every video in its own week in week 6" would stumble
        options = tuple(phrase for phrase in options if not phrase.startswith("{Action} in"))
    return filled(voice.pick(options), {"action": action, **slots})


def _reaches_back(voice: Voice, edge: Prerequisite) -> bool:
    return voice.course.week_of(edge.needs) < voice.course.week_of(edge.topic)


def _why_can_be_said(course: Course, edge: Prerequisite) -> bool:
    """Reports are English; a reason must bring in neither numbers nor further topics, which would need their week."""
    others = (topic for topic in course.topics if topic not in (edge.topic, edge.needs))
    plain = not any(letter.isdigit() for letter in edge.why) and not any(topic in edge.why for topic in others)
    return course.language == "en" and plain
