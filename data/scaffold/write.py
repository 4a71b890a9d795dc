"""Writes the scaffold of a new course."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from string import Template
from typing import Literal, get_args

from data.course import BundleError
from scribe.plumbing.files import replace_folder

TEMPLATES = Path(__file__).parent
FILES = ("course.toml", "topics.toml", "schedule.toml", "syllabus.md", "textbook/01.md", "exercises.jsonl")
FEWEST_WEEKS, MOST_WEEKS = 2, 30  # a report looks back on at least one and ahead to at least one
QUIZZES = 40  # percent of the grade, shared by the weeks

Language = Literal["en", "fr"]

_NAME = re.compile(r"[a-z][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class ScaffoldWords:
    """What the entries of a language are called; {} is the week."""

    week: str
    topics: tuple[str, str]
    quiz: str
    exam: str
    why: str


ENGLISH = ScaffoldWords(
    week="Week {}",
    topics=("Topic A of week {}", "Topic B of week {}"),
    quiz="Quiz of week {}",
    exam="Final exam",
    why="say here what of it is needed",
)
FRENCH = ScaffoldWords(
    week="Semaine {}",
    topics=("Sujet A de la semaine {}", "Sujet B de la semaine {}"),
    quiz="Quiz de la semaine {}",
    exam="Examen final",
    why="dites ici ce qui en est nécessaire",
)
WORDS: dict[Language, ScaffoldWords] = {"en": ENGLISH, "fr": FRENCH}


def new_course(
    name: str,
    courses: Path,
    start: date,
    language: Language = "en",
    weeks: int = 10,
    timezone: str = "Europe/Zurich",
) -> tuple[Path, ...]:
    """Write a course that passes all checks into a new folder of this name in `courses`; returns its files.

    start: the Monday of week 1. The folder is written whole or not at all. Raises BundleError for a name,
    language or number of weeks that cannot be used, and for a folder that exists.
    """
    _check(name, start, language, weeks)
    folder = courses / name
    if folder.exists():
        raise BundleError(f"{folder}: exists already; choose another name or folder")
    values = _fill_values(name, start, language, weeks, timezone)
    try:
        with replace_folder(folder) as made:
            shutil.copytree(TEMPLATES / language, made, dirs_exist_ok=True)
            for path in (made / file for file in FILES):
                text = Template(path.read_text(encoding="utf-8")).substitute(values)
                path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BundleError(f"{folder}: cannot be written: {error.strerror or error}") from error
    return tuple(folder / file for file in FILES)


def _check(name: str, start: date, language: str, weeks: int) -> None:
    if not _NAME.fullmatch(name):
        rule = "a course's name has small letters, digits and hyphens and begins with a letter, for example dsp-2"
        raise BundleError(f"{name!r}: {rule}")
    if language not in get_args(Language):
        raise BundleError(f"there are scaffolds in {', '.join(get_args(Language))}, not in {language!r}")
    if not FEWEST_WEEKS <= weeks <= MOST_WEEKS:
        raise BundleError(f"a course has {FEWEST_WEEKS} to {MOST_WEEKS} weeks, not {weeks}")
    if start.weekday():
        raise BundleError(f"week 1 must start on a Monday; {start} is a {start:%A}")


def _fill_values(name: str, start: date, language: Language, weeks: int, timezone: str) -> dict[str, str]:
    words = WORDS[language]
    return {
        "id": name,
        "title": name.replace("-", " ").capitalize(),
        "weeks": str(weeks),
        "done": str(weeks // 2),
        "start": start.isoformat(),
        "timezone": timezone,
        "grading": "\n".join(_list_grading(words, weeks)),
        "plan": "\n".join(_write_week(words, number, language) for number in range(1, weeks + 1)),
        "prerequisites": "\n".join(_write_edges(words, number) for number in range(1, weeks + 1)),
        "items": "\n".join(_write_items(number) for number in range(1, weeks + 1)),
    }


def _list_grading(words: ScaffoldWords, weeks: int) -> Iterator[str]:
    entry = '    {{ id = "{}", title = "{}", week = {}, weight = {}, max_points = {} }},'
    for week in range(1, weeks + 1):
        weight = QUIZZES // weeks + (QUIZZES % weeks if week == weeks else 0)
        yield entry.format(f"quiz-{week}", words.quiz.format(week), week, weight, 10)
    yield entry.format("final", words.exam, weeks + 1, 100 - QUIZZES, 100)


def _write_week(words: ScaffoldWords, number: int, language: Language) -> str:
    title, topics = words.week.format(number), _list_topics(words, number)
    entry = f'[[weeks]]\nnumber = {number}\ntitle = "{title}"\ntopics = [{topics}]\n'
    if language != "en":
        entry += f'title_en = "{ENGLISH.week.format(number)}"\ntopics_en = [{_list_topics(ENGLISH, number)}]\n'
    return f"{entry}quizzes = 1\n"


def _list_topics(words: ScaffoldWords, number: int) -> str:
    return ", ".join(f'"{topic.format(number)}"' for topic in words.topics)


def _write_edges(words: ScaffoldWords, number: int) -> str:
    """The second topic of a week needs its first, and its first the second of the week before."""
    first, second = (topic.format(number) for topic in words.topics)
    before = words.topics[1].format(number - 1)
    edges = [(second, first)] if number == 1 else [(first, before), (second, first)]
    entry = '[[prerequisites]]\ntopic = "{}"\nneeds = "{}"\nwhy = "{}"\n'
    return "\n".join(entry.format(topic, needs, words.why) for topic, needs in edges)


def _write_items(number: int) -> str:
    entry = '[[items]]\nid = "{}-{}-1"\nkind = "{}"\nweek = {}\nminutes = {}\n'
    return "\n".join([entry.format("v", number, "video", number, 10), entry.format("q", number, "problem", number, 5)])
