"""Feedback reports by a language model: select, present (after iLLuMinaTE), and correct what `claims` finds wrong."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from string import Template
from typing import Literal

from data.course import Course, Outcome, Student
from data.reports.claims import find_false_claims, list_parts
from data.reports.compose import MOST_WORDS, count_words, write_report
from data.reports.findings import FeatureFinding, Findings, gather_findings
from data.reports.phrasebook import THEORY_PARTS, name_course, name_topic, name_week
from data.standing import standing, whole
from scribe.messages import Message

SHORTEST = 80  # Words; less leaves one of the three questions open
MOST_FINDINGS = 10
_STANCE: dict[Outcome, str] = {
    "fail": "They need to change something: say so kindly, and make it sound possible.",
    "pass": "They are doing well: say what carries them, and advise to keep it. Do not invent weaknesses.",
}
_MEANING = {"more": "more usually goes along with passing", "less": "less usually goes along with passing"}

Say = Callable[[Sequence[Message]], str]
"""Asks the model to go on with a conversation and returns its turn; exceptions go through to the caller."""


def write_by_llm(
    say: Say, course: Course, student: Student, theory: str, attempts: int = 3
) -> tuple[str, Literal["llm", "composed"]]:
    """A true report and who wrote it; the composed one where the letter stayed wrong after `attempts` corrections."""
    composed = write_report(course, student, theory)  # first, since it also says what cannot be written at all
    talk: list[Message] = []
    thought, _, parts = _read_prompt(f"theory-{theory}").partition("\n---\n")
    _ask(say, talk, _ask_for_analysis(course, student, thought))
    words = {"words": MOST_WORDS, "stance": _STANCE[student.predicted], "next": course.weeks_done + 1}
    request = _fill_prompt("presentation", course=name_course(course), parts=parts, **words)
    for _ in range(attempts + 1):
        text = _ask(say, talk, request) + "\n"
        wrong = [*_check_form(text, theory), *find_false_claims(text, student, course)]
        if not wrong:
            return text, "llm"
        request = _fill_prompt("revision", complaints="\n".join(f"- {each}" for each in wrong))
    return composed, "composed"


def _ask(say: Say, talk: list[Message], request: str) -> str:
    talk.append(Message("user", request))
    answer = say(tuple(talk)).strip()
    talk.append(Message("assistant", answer))
    return answer


def _check_form(text: str, theory: str) -> list[str]:
    """What is wrong with length and structure; `claims` sees to all else."""
    wrong, size = [], count_words(text)
    if not SHORTEST <= size <= MOST_WORDS:
        wrong.append(f"the letter has {size} words; it should have {SHORTEST} to {MOST_WORDS}")
    parts = THEORY_PARTS[theory]
    if list_parts(text) != parts:
        wrong.append(f"the parts in bold should be {', '.join(f'**{part}:**' for part in parts)}, in this order")
    return wrong


def _ask_for_analysis(course: Course, student: Student, theory: str) -> str:
    found = gather_findings(course, student)
    return _fill_prompt(
        "selection",
        course=course.title,
        done=course.weeks_done,
        weeks=course.weeks,
        behaviours=_describe_behaviours(found),
        outline="\n".join(_list_weeks(course)),
        prerequisites="\n".join(_list_prerequisites(course)) or "- nothing is noted",
        data="\n".join(_list_evidence(course, student, found)),
        theory=theory,
    )


def _describe_behaviours(found: Findings) -> str:
    """The behaviours of the findings: name, unit, what is measured and which way is usually good."""
    features = dict.fromkeys(one.feature for one in (*found.ranked[:MOST_FINDINGS], *found.enough))
    lines = (
        f"- {one.label} ({one.unit}): {one.description} Here {_MEANING.get(one.good, 'what is better depends')}."
        for one in features
    )
    return "\n".join(lines) or "- none that was found to matter"


def _list_evidence(course: Course, student: Student, found: Findings) -> Iterator[str]:
    """The outlook and the findings, strongest first, each with the student's value and the class's median."""
    flip = "pass" if student.predicted == "fail" else "fail"
    yield f"Outlook after {course.weeks_done} weeks: {student.predicted} (for you only, never to be told)."
    so_far = standing(course, student)
    if so_far.disagrees(student):
        marks, mark = "{} of {} percent".format(*so_far.shown), f"{whole(so_far.pass_mark)} percent"
        pace = "keep pace with" if so_far.keeps_pace else "are below the pace for"
        says = f"marks so far, {marks}, {pace} the pass mark of {mark}"
        yield f"The {says}: the outlook and the marks disagree, so say both, the marks in these words."
    if not found.ranked:
        yield "No set of changes was found that would turn it: name no behaviour and no value."
    else:
        yield f"Changes that together would have turned it into {flip}:"
        for number, one in enumerate(found.ranked[:MOST_FINDINGS], 1):
            more = "more" if one.change == "increase" else "less"
            leads = "" if one.target is None else f", as far as {one.shown(one.target)}"
            yield f"{number}. {_compare_to_class(one)}; {more} of it leads to {flip}{leads}"
    if found.enough:
        every = len(found.enough) == len(student.sufficient)
        yield "Enough by themselves to keep it:" if every else "Among the points that together keep it:"
        yield from (f"- {_compare_to_class(one)}" for one in found.enough)
    elif found.ranked and not student.sufficient:
        yield "No few points alone are enough to keep it."


def _compare_to_class(finding: FeatureFinding) -> str:
    own, usual = finding.shown(finding.own), finding.shown(finding.typical)
    side = "the same as" if finding.side == "same" else finding.side
    return f"{finding.feature.label}, week {finding.week}: {own}, {side} the class median of {usual}"


def _list_weeks(course: Course) -> Iterator[str]:
    """Every week with its topics and number of quizzes."""
    for week in course.plan:
        when = "over" if week.number <= course.weeks_done else "still to come"
        topics = "; ".join(name_topic(course, topic) for topic in week.topics)
        yield f"- {name_week(week, titled=True)}, {when}, {week.quizzes or 'no'} quizzes: {topics}"


def _list_prerequisites(course: Course) -> Iterator[str]:
    """Which topics of the coming weeks build on earlier ones."""
    for edge in course.prerequisites:
        week, earlier = course.week_of(edge.topic), course.week_of(edge.needs)
        if week > course.weeks_done and earlier < week:
            topic, needs = name_topic(course, edge.topic), name_topic(course, edge.needs)
            yield f"- {topic} (week {week}) builds on {needs} (week {earlier})"


def _fill_prompt(name: str, **slots: object) -> str:
    return Template(_read_prompt(name)).substitute({key: str(value) for key, value in slots.items()})


def _read_prompt(name: str) -> str:
    return (Path(__file__).parent / "prompts" / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")
