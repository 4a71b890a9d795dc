"""Feedback reports from phrases and data alone; the wording is drawn by a seed, and the probability never told."""

from collections.abc import Mapping, Sequence

from data.course import BundleError, Course, Student
from data.reports.actions import plan_actions
from data.reports.findings import Findings, gather_findings
from data.reports.phrasebook import count_weeks, name_topic
from data.reports.theories import TheoryParts, explain_nothing, explain_parts
from data.reports.voice import Voice
from data.standing import Standing, standing, whole

FEWEST_WORDS, USUAL_WORDS, MOST_WORDS = 105, 175, 200
ATTEMPTS = 40  # Drafts with other wording until one keeps to the usual length; the last ones may use all words


def write_report(course: Course, student: Student, theory: str) -> str:
    """The report in Markdown, FEWEST_WORDS to MOST_WORDS words. Raises BundleError if no draft has that length."""
    found = gather_findings(course, student)
    so_far = standing(course, student)
    for attempt in range(ATTEMPTS):
        report = _write_draft(Voice(course, student, f"{theory}.{attempt}"), theory, found, so_far)
        most = USUAL_WORDS if attempt < ATTEMPTS // 2 else MOST_WORDS
        if FEWEST_WORDS <= count_words(report) <= most:
            return report
    wanted = f"{FEWEST_WORDS} to {MOST_WORDS} words"
    raise BundleError(f"{course.id}, {student.id}.{theory}: no draft of {wanted}; change data/reports/phrases.toml")


def count_words(text: str) -> int:
    """How long a text is, as a word count of an editor would say: what stands between spaces."""
    return len(text.split())


def _write_draft(voice: Voice, theory: str, found: Findings, so_far: Standing) -> str:
    parts = explain_parts(voice, theory, found) if found.ranked else explain_nothing(voice, theory, found)
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(plan_actions(voice, parts.findings), 1))
    opening = _write_opening(voice, so_far)
    told = dict(parts.told)
    tail = [voice.say("steps", "leads"), steps]
    room = voice.chance.randint(140, USUAL_WORDS) - count_words(_lay_out(opening, told, tail))
    for part, sentence in _choose_further(voice, parts, room):
        if part:
            told[part] += f" {sentence}"
        else:
            tail.append(sentence)
    return _lay_out(opening, told, tail) + "\n"


def _write_opening(voice: Voice, so_far: Standing) -> str:
    """The goal, and how things stand: by the way of studying, and by the marks too where these say something else."""
    course = voice.course
    coming = course.week(course.weeks_done + 1)
    goal = voice.say(
        "opening",
        "goal",
        left=count_weeks(course.weeks - course.weeks_done),
        done=count_weeks(course.weeks_done),
        topic=name_topic(course, coming.topics[0]),
        week=f"week {coming.number}",
    )
    if not so_far.disagrees(voice.student):
        return f"{goal} {voice.say_outcome('status')}"
    marks, mark = "{} of {} percent".format(*so_far.shown), f"{whole(so_far.pass_mark)} percent"
    return f"{goal} {voice.say_outcome('mixed', marks=marks, mark=mark)}"


def _choose_further(voice: Voice, parts: TheoryParts, room: int) -> list[tuple[str, str]]:
    """As many further sentences as there is room for, taken by chance, told in their order; part "" is the end."""
    further = [*parts.further, ("", voice.say_outcome("closings"))]
    taken: set[int] = set()
    for index in voice.chance.sample(range(len(further)), len(further)):
        size = count_words(further[index][1])
        if size <= room:
            taken.add(index)
            room -= size
    return [further[index] for index in sorted(taken)]


def _lay_out(opening: str, parts: Mapping[str, str], tail: Sequence[str]) -> str:
    bullets = "\n".join(f"- **{name}:** {text}" for name, text in parts.items())
    return "\n\n".join([opening, bullets, *tail])
