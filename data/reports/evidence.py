"""What a language model is given to write a report from: findings in raw units, the outline, what builds on what."""

from collections.abc import Iterator

from data.course import Course, Student
from data.reports.findings import Finding, gather
from data.reports.naming import topic_name, week_name
from data.standing import standing, whole

MOST_FINDINGS = 10
_MEANING = {"more": "more usually goes along with passing", "less": "less usually goes along with passing"}


def behaviours(course: Course, student: Student) -> str:
    """The behaviours of the findings: name, unit, what is measured and which way is usually good."""
    features = dict.fromkeys(one.feature for one in _all(course, student))
    lines = (
        f"- {one.label} ({one.unit}): {one.description} Here {_MEANING.get(one.good, 'what is better depends')}."
        for one in features
    )
    return "\n".join(lines) or "- none that was found to matter"


def data(course: Course, student: Student) -> str:
    """The outlook and the findings, strongest first, each with the student's value and the class's median."""
    found = gather(course, student)
    flip = "pass" if student.predicted == "fail" else "fail"
    lines = [f"Outlook after {course.weeks_done} weeks: {student.predicted} (for you only, never to be told)."]
    lines += _marks(course, student)
    if not found.told:
        lines.append("No set of changes was found that would turn it: name no behaviour and no value.")
    else:
        lines.append(f"Changes that together would have turned it into {flip}:")
        lines += [f"{number}. {_line(one, flip)}" for number, one in enumerate(found.told[:MOST_FINDINGS], 1)]
    if found.enough:
        whole = len(found.enough) == len(student.sufficient)
        lines.append("Enough by themselves to keep it:" if whole else "Among the points that together keep it:")
        lines += [f"- {_beside(one)}" for one in found.enough]
    elif found.told and not student.sufficient:
        lines.append("No few points alone are enough to keep it.")
    return "\n".join(lines)


def _marks(course: Course, student: Student) -> list[str]:
    """The marks so far, where they and the outlook disagree and the student must be told both."""
    so_far = standing(course, student)
    if not so_far.disagrees(student):
        return []
    earned, graded = so_far.shown
    pace = "keep pace with" if so_far.keeps_pace else "are below the pace for"
    says = f"marks so far, {earned} of {graded} percent, {pace} the pass mark of {whole(so_far.pass_mark)} percent"
    return [f"The {says}: the outlook and the marks disagree, so say both, the marks in these words."]


def outline(course: Course) -> str:
    """Every week with its topics and number of quizzes."""
    return "\n".join(
        f"- {week_name(week, titled=True)}, {'over' if week.number <= course.weeks_done else 'still to come'}, "
        f"{week.quizzes or 'no'} quizzes: {'; '.join(topic_name(course, topic) for topic in week.topics)}"
        for week in course.plan
    )


def prerequisites(course: Course) -> str:
    """Which topics of the coming weeks build on earlier ones."""
    return "\n".join(_edges(course)) or "- nothing is noted"


def _edges(course: Course) -> Iterator[str]:
    for edge in course.prerequisites:
        week, earlier = course.week_of(edge.topic), course.week_of(edge.needs)
        if week > course.weeks_done and earlier < week:
            topic, needs = topic_name(course, edge.topic), topic_name(course, edge.needs)
            yield f"- {topic} (week {week}) builds on {needs} (week {earlier})"


def _all(course: Course, student: Student) -> tuple[Finding, ...]:
    found = gather(course, student)
    return (*found.told[:MOST_FINDINGS], *found.enough)


def _line(finding: Finding, flip: str) -> str:
    more = "more" if finding.change == "increase" else "less"
    leads = "" if finding.target is None else f", as far as {finding.shown(finding.target)}"
    return f"{_beside(finding)}; {more} of it leads to {flip}{leads}"


def _beside(finding: Finding) -> str:
    own, usual = finding.shown(finding.own), finding.shown(finding.typical)
    side = {"below": "below", "above": "above", "same": "the same as"}[finding.side]
    return f"{finding.feature.label}, week {finding.week}: {own}, {side} the class median of {usual}"
