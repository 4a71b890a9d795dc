"""The material of a course, the same for every student: outline, syllabus, textbook, exercises."""

import dataclasses
import graphlib
import re
from pathlib import Path
from typing import Any

from data.bundle_files import (
    Location,
    Passage,
    check_distinct,
    list_entries,
    parse_entries,
    read_lines,
    read_passages,
    read_toml,
)
from data.course import Course, Exercise, GradedItem, Prerequisite, Section, Week

# An exam may lie a few weeks after teaching has ended.
EXAM_WEEKS = 4

_NUMBERED = re.compile(r"(?P<id>(?P<week>\d+)\.\d+)\.?\s+(?P<title>.+)")


def read_material(folder: Path, bundle: Location) -> Course | None:
    """The course without its students, or None if course.toml itself cannot be used."""
    head = read_toml(folder, bundle.within("course.toml"))
    topics = read_toml(folder, bundle.within("topics.toml"))
    syllabus, translated = _read_syllabi(folder, bundle)
    names = sorted(path.name for path in (folder / "textbook").glob("*.md"))
    bundle.within("textbook").require(bool(names) or not (folder / "textbook").exists(), "has no .md file")
    chapters = [part for name in names for part in read_passages(folder, bundle.within(f"textbook/{name}"))]
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
    """Only the facts, the grading, and what topics.toml says: the plan and the prerequisites."""
    file = bundle.within("course.toml")
    other = dict.fromkeys(("grading", "plan", "prerequisites", "syllabus", "textbook", "exercises", "syllabus_en"), ())
    facts = parse_entries(Course, [(file, {**head, **other, "students": {}})])
    grading = parse_entries(GradedItem, list_entries(head, "grading", file))
    if not facts:
        return None
    course = dataclasses.replace(facts[0][1], grading=tuple(item for _, item in grading))
    file.at("weeks_done").between("value", course.weeks_done, 0, course.weeks)
    _check_grading(grading, course, file)
    if topics is None:
        return course
    file = bundle.within("topics.toml")
    weeks = parse_entries(Week, list_entries(topics, "weeks", file))
    edges = parse_entries(Prerequisite, list_entries(topics, "prerequisites", file, required=False))
    plan, prerequisites = tuple(week for _, week in weeks), tuple(edge for _, edge in edges)
    course = dataclasses.replace(course, plan=plan, prerequisites=prerequisites)
    _check_plan(weeks, course, file)
    _check_prerequisites(edges, course, file)
    return course


def _check_grading(grading: list[tuple[Location, GradedItem]], course: Course, file: Location) -> None:
    check_distinct(((place, item.id) for place, item in grading), "id")
    for place, item in grading:
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
        translated = not week.topics_en or len(week.topics_en) == len(week.topics)
        place.require(translated, f"topics_en has {len(week.topics_en)} names for {len(week.topics)} topics")


def _check_prerequisites(edges: list[tuple[Location, Prerequisite]], course: Course, file: Location) -> None:
    """Edges lead from known topics back to earlier ones, and never in a circle."""
    taught = {topic: week.number for week in course.plan for topic in week.topics}
    before: dict[str, set[str]] = {}
    for place, edge in edges:
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


def _make_textbook(chapters: list[Passage], course: Course) -> tuple[Section, ...]:
    sections: list[tuple[Location, Section]] = []
    for part in chapters:
        match = _NUMBERED.fullmatch(part.title)
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
        # Without a plan every topic would be unknown: the plan's own problem is enough.
        if taught and place.require(each.topic in taught, f"no week teaches {each.topic!r}"):
            week = taught[each.topic]
            place.require(each.week == week, f"{each.topic!r} is taught in week {week}, not {each.week}")
