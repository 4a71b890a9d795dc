"""Where to next: two actions, each tied to a coming week and one of its topics."""

from collections.abc import Sequence

from data.course import Course, Outcome, Prerequisite, Week
from data.reports.findings import FeatureFinding
from data.reports.phrasebook import Phrases, fill_slots, find_phrases, name_topic, name_week
from data.reports.voice import Voice

# How often a step says what its topic builds on, and how often a week comes with its title.
LINKED, TITLED = 0.7, 0.2
# The second step lies at most so many weeks behind the first.
HORIZON = 3


def plan_actions(voice: Voice, findings: Sequence[FeatureFinding]) -> tuple[str, str]:
    """One action for the next week and one for a later one, about different behaviours where there are two."""
    coming = [week for week in voice.course.plan if week.number > voice.course.weeks_done]
    later = coming[1 : 1 + HORIZON] or coming[:1]
    first = _find_suited(voice, findings, coming[:1])
    others = [one for one in findings if first is None or one.feature != first.feature]
    second = _find_suited(voice, [*others, *([first] if first else [])], later)
    step = _write_step(voice, coming[0], first)
    week = voice.chance.choice([each for each in later if second is None or _fits_week(voice.course, second, each)])
    return step, _write_step(voice, week, second)


def _find_suited(voice: Voice, findings: Sequence[FeatureFinding], weeks: Sequence[Week]) -> FeatureFinding | None:
    """The first finding that something can be done about in one of the weeks."""
    for one in findings:
        if _find_advice(one, voice.outcome) and any(_fits_week(voice.course, one, week) for week in weeks):
            return one
    return None


def _fits_week(course: Course, finding: FeatureFinding, week: Week) -> bool:
    """Quizzes where a quiz is advised, and a following week (with a quiz) where it is about working ahead."""
    wording = finding.wording
    needed = [week.number + wording.ahead] if wording.ahead else [week.number]
    quizzes = {each.number: each.quizzes for each in course.plan}
    return all(number in quizzes and (quizzes[number] > 0 or not wording.quiz) for number in needed)


def _find_advice(finding: FeatureFinding, outcome: Outcome) -> Phrases:
    """What to do about a behaviour; nothing about one whose direction is unclear."""
    if not finding.clear:
        return ()
    wording, rising = finding.wording, finding.change == "increase"
    if outcome == "fail":
        return wording.more if rising else wording.less
    return wording.low if rising else wording.high


def _write_step(voice: Voice, week: Week, finding: FeatureFinding | None) -> str:
    course = voice.course
    options = _find_advice(finding, voice.outcome) if finding else find_phrases("steps", "default", voice.outcome)
    action = voice.pick(options)
    links = [
        edge
        for edge in course.prerequisites
        if edge.topic in week.topics and course.week_of(edge.needs) < course.week_of(edge.topic)
    ]
    titled = voice.chance.random() < TITLED
    if not links or voice.chance.random() >= LINKED:
        topic = name_topic(course, voice.chance.choice(week.topics))
        return _write_action(voice, "plain", action, week=name_week(week, titled), topic=topic)
    # Two topics and a title, each in two languages, would be too much for one sentence.
    name = name_week(week, titled and not week.topics_en)
    edge = voice.chance.choice(links)
    kind = "because" if _can_say_why(course, edge) and voice.chance.random() < 0.4 else "linked"
    topic, needs = name_topic(course, edge.topic), name_topic(course, edge.needs)
    earlier = course.week_of(edge.needs)
    return _write_action(voice, kind, action, week=name, topic=topic, needs=needs, earlier=earlier, why=edge.why)


def _write_action(voice: Voice, kind: str, action: str, **slots: object) -> str:
    options = find_phrases("steps", kind)
    if "week" in action:  # "open every video in its own week in week 6" would stumble
        options = tuple(phrase for phrase in options if not phrase.startswith("{Action} in"))
    return fill_slots(voice.pick(options), {"action": action, **slots})


def _can_say_why(course: Course, edge: Prerequisite) -> bool:
    """Reports are English; a reason must bring in neither numbers nor further topics, which would need their week."""
    others = (topic for topic in course.topics if topic not in (edge.topic, edge.needs))
    plain = not any(letter.isdigit() for letter in edge.why) and not any(topic in edge.why for topic in others)
    return course.language == "en" and plain
