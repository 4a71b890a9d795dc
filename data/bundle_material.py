"""The material of a course, the same for every student: outline, syllabus, textbook, exercises."""

import dataclasses
import graphlib
import math
import re
from pathlib import Path
from typing import Any, TypeVar

from data.bundle_files import Location, Passage, check_distinct, parse_entries, read_lines, read_passages, read_toml
from data.course import Course, Exercise, GradedItem, Prerequisite, Section, Week

T = TypeVar("T")

# An exam may lie a few weeks after teaching has ended.
EXAM_WEEKS = 4

_NUMBERED = re.compile(r"(?P<id>(?P<week>\d+)\.\d+)\.?\s+(?P<title>.+)")


def read_material(folder: Path, bundle: Location) -> Course | None:
    """The course without its students, or None if course.toml itself cannot be used."""
    head = read_toml(folder, bundle.within("course.toml"))
    topics = read_toml(folder, bundle.within("topics.toml"))
    syllabus, translated = _read_syllabi(folder, bundle)
    chapters = _read_chapters(folder, bundle)
    exercises = parse_entries(Exercise, read_lines(folder, bundle.within("exercises.jsonl")))
    course = None if head is None else _read_outline(head, topics, bundle)
    if course is None:
        return None
    named = course.id == folder.resolve().name
    bundle.within("course.toml").at("id").require(named, f"{course.id!r} must be the name of the folder")
    _check_exercises(exercises, course)
    return dataclasses.replace(
        course,
        syllabus=_make_rules(syllabus),
        syllabus_en=_make_rules(translated),
        textbook=_make_textbook(chapters, course),
        exercises=tuple(exercise for _, exercise in exercises),
    )


def _read_outline(head: dict[str, Any], topics: dict[str, Any] | None, bundle: Location) -> Course | None:
    """Only the facts, the grading, the plan and the prerequisites."""
    file = bundle.within("course.toml")
    other = dict.fromkeys(("grading", "plan", "prerequisites", "syllabus", "textbook", "exercises", "syllabus_en"), ())
    facts = parse_entries(Course, [(file, {**head, **other, "students": {}})])
    grading = _read_entries(GradedItem, head, "grading", file)
    if not facts:
        return None
    course = dataclasses.replace(facts[0][1], grading=tuple(item for _, item in grading))
    _check_facts(course, file)
    _check_grading(grading, course, file)
    return course if topics is None else _add_plan(course, topics, bundle.within("topics.toml"))


def _add_plan(course: Course, topics: dict[str, Any], file: Location) -> Course:
    """The course with what topics.toml says."""
    weeks = _read_entries(Week, topics, "weeks", file)
    edges = parse_entries(Prerequisite, _number_entries(topics.get("prerequisites", []), "prerequisites", file))
    course = dataclasses.replace(
        course, plan=tuple(week for _, week in weeks), prerequisites=tuple(edge for _, edge in edges)
    )
    _check_plan(weeks, course, file)
    _check_prerequisites(edges, course, file)
    return course


def _read_entries(kind: type[T], table: dict[str, Any], key: str, file: Location) -> list[tuple[Location, T]]:
    """The entries of a list that must not be absent or empty."""
    file.at(key).require(bool(table.get(key)), "must have at least one entry")
    return parse_entries(kind, _number_entries(table.get(key, []), key, file))


def _number_entries(listed: object, key: str, file: Location) -> list[tuple[Location, Any]]:
    if not isinstance(listed, list):
        file.at(key).note("must be a list of entries")
        return []
    return [(file.at(f"{key} {number}"), entry) for number, entry in enumerate(listed, start=1)]


def _check_facts(course: Course, file: Location) -> None:
    for key in ("title", "language", "summary"):
        file.at(key).require(bool(getattr(course, key).strip()), "is empty")
    file.at("weeks").require(course.weeks >= 1, f"must be at least 1, not {course.weeks}")
    file.at("weeks_done").between("value", course.weeks_done, 0, course.weeks)
    file.at("pass_mark").between("value", course.pass_mark, 0, 100)
    file.at("title").seen("title", course.title)
    for place, alias in _number_entries(list(course.aliases), "aliases", file):
        place.require(bool(alias.strip()), "is empty")
        place.seen("alias", alias)


def _check_grading(grading: list[tuple[Location, GradedItem]], course: Course, file: Location) -> None:
    check_distinct(((place, item.id) for place, item in grading), "id")
    for place, item in grading:
        place.require(bool(item.id.strip() and item.title.strip()), "id or title is empty")
        place.seen("id", item.id)
        place.seen("title", item.title)
        place.require(0 < item.weight <= 100, f"weight must be above 0 and up to 100, not {item.weight:g}")
        place.require(0 < item.max_points < math.inf, f"max_points must be above 0, not {item.max_points:g}")
        place.between("week", item.week, 1, course.weeks + EXAM_WEEKS)
    total = sum(item.weight for _, item in grading)
    file.at("grading").require(not grading or abs(total - 100) < 1e-6, f"weights sum to {total:g}, not 100")


def _check_plan(weeks: list[tuple[Location, Week]], course: Course, file: Location) -> None:
    check_distinct(((place, str(week.number)) for place, week in weeks), "number")
    check_distinct(((place, topic) for place, week in weeks for topic in week.topics), "topic")
    for number in sorted(set(range(1, course.weeks + 1)) - {week.number for _, week in weeks}):
        file.at("weeks").note(f"week {number} is missing")
    for place, week in weeks:
        place.between("number", week.number, 1, course.weeks)
        place.require(bool(week.title.strip()), "title is empty")
        for title in (week.title, week.title_en):
            place.seen("title", title)
        for topic in (*week.topics, *week.topics_en):
            place.seen("topic", topic)
        named = bool(week.topics) and all(topic.strip() for topic in week.topics)
        place.require(named, "topics must name at least one topic, and none may be empty")
        translated = not week.topics_en or len(week.topics_en) == len(week.topics)
        place.require(translated, f"topics_en has {len(week.topics_en)} names for {len(week.topics)} topics")
        place.require(week.quizzes >= 0, f"quizzes must be 0 or more, not {week.quizzes}")


def _check_prerequisites(edges: list[tuple[Location, Prerequisite]], course: Course, file: Location) -> None:
    """Edges lead from known topics back to earlier ones, and never in a circle."""
    taught = {topic: week.number for week in course.plan for topic in week.topics}
    before: dict[str, set[str]] = {}
    for place, edge in edges:
        place.require(bool(edge.why.strip()), "why is empty")
        known = [place.require(topic in taught, f"no week teaches {topic!r}") for topic in (edge.topic, edge.needs)]
        if not all(known):
            continue
        week, earlier = taught[edge.topic], taught[edge.needs]
        forward = f"{edge.topic!r} of week {week} cannot need {edge.needs!r} of the later week {earlier}"
        place.require(earlier <= week, forward)
        new = edge.needs not in before.setdefault(edge.topic, set())
        place.require(new, f"{edge.topic!r} needing {edge.needs!r} is listed twice")
        before[edge.topic].add(edge.needs)
    try:
        graphlib.TopologicalSorter(before).prepare()
    except graphlib.CycleError as error:
        file.at("prerequisites").note(f"form a cycle: {' needs '.join(reversed(error.args[1]))}")


def _read_syllabi(folder: Path, bundle: Location) -> tuple[list[Passage], list[Passage]]:
    """The sections as they were written, and in English if they were translated: as many, in the same order."""
    written, name = read_passages(folder, bundle.within("syllabus.md")), "syllabus.en.md"
    translated = read_passages(folder, bundle.within(name)) if (folder / name).exists() else []
    for passages in (written, translated):
        check_distinct(((part.place, part.title) for part in passages), "title")
    fits = not translated or len(translated) == len(written)
    bundle.within(name).require(fits, f"has {len(translated)} sections, and syllabus.md has {len(written)}")
    return written, translated


def _make_rules(passages: list[Passage]) -> tuple[Section, ...]:
    return tuple(Section(f"syllabus-{n}", part.title, None, part.text) for n, part in enumerate(passages, 1))


def _read_chapters(folder: Path, bundle: Location) -> list[Passage]:
    """The sections of all chapters, in the order of the file names; none where the course has no such folder."""
    names = sorted(path.name for path in (folder / "textbook").glob("*.md"))
    bundle.within("textbook").require(bool(names) or not (folder / "textbook").exists(), "has no .md file")
    return [part for name in names for part in read_passages(folder, bundle.within(f"textbook/{name}"))]


def _make_textbook(chapters: list[Passage], course: Course) -> tuple[Section, ...]:
    numbered = [(part, _NUMBERED.fullmatch(part.title)) for part in chapters]
    sections: list[tuple[Location, Section]] = []
    for part, match in numbered:
        if match is None:
            part.place.note(f'heading {part.title!r} must begin with a number such as "5.3"')
            continue
        week = int(match["week"])
        part.place.between("week", week, 1, course.weeks)
        sections.append((part.place, Section(match["id"], match["title"], week, part.text)))
    check_distinct(((place, section.id) for place, section in sections), "section")
    return tuple(section for _, section in sections)


def _check_exercises(exercises: list[tuple[Location, Exercise]], course: Course) -> None:
    check_distinct(((place, each.id) for place, each in exercises), "id")
    taught = {topic: week.number for week in course.plan for topic in week.topics}
    for place, each in exercises:
        for key in ("id", "title", "text", "solution"):
            place.require(bool(getattr(each, key).strip()), f"{key} is empty")
        place.seen("id", each.id)
        place.seen("title", each.title)
        # Without a plan every topic would be unknown: the plan's own problem is enough.
        if taught and place.require(each.topic in taught, f"no week teaches {each.topic!r}"):
            week = taught[each.topic]
            place.require(each.week == week, f"{each.topic!r} is taught in week {week}, not {each.week}")
