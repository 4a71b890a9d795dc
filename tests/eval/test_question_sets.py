"""The questions that we develop against and those that we test with: each fits its course and tools."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import eval
from data.bundle import find, list_courses
from data.course import Course
from eval.tool_use.answers import read_expectations
from tests.tools.small_course import ScriptedEmbedder
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

FOLDER = Path(str(eval.__file__)).parent
SETS = ("development.jsonl", "test_set.jsonl")
KEYS = {
    "id", "course", "theory", "question", "history", "tools", "arguments", "category", "language", "note",
}  # fmt: skip
CATEGORIES = {"well", "where", "how", "next", "course", "follow_up", "out_of_scope", "other_student", "mixed"}
OF_WEEKS_DONE = "sort_student_features_with_importance"

Schemas = Mapping[str, Mapping[str, Any]]
Questions = Sequence[Mapping[str, Any]]


def number(questions: Questions, **wanted: str) -> int:
    return sum(all(each[name] == value for name, value in wanted.items()) for each in questions)


@pytest.fixture(params=SETS)
def path(request: pytest.FixtureRequest) -> Path:
    return FOLDER / str(request.param)


@pytest.fixture
def questions(path: Path) -> Questions:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def plain(text: str) -> str:
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.casefold()).split())


@pytest.fixture(scope="module")
def courses() -> dict[str, Course]:
    return {name: find(name) for name in list_courses()}


@pytest.fixture(scope="module")
def schemas(courses: Mapping[str, Course], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Schemas]:
    """Each course's tools, with what arguments they take."""
    vault = VectorStore(ScriptedEmbedder(), tmp_path_factory.mktemp("vault"))
    return {name: make_toolbox(course, next(iter(course.students)), vault).schemas for name, course in courses.items()}


def test_there_are_enough_of_every_kind(questions: Questions) -> None:
    assert len(questions) >= 160
    assert number(questions, language="fr") >= 20
    assert number(questions, category="follow_up") >= 20
    assert number(questions, category="out_of_scope") >= 20
    assert set(Counter(each["course"] for each in questions)) == set(list_courses())
    assert {each["category"] for each in questions} == CATEGORIES


def test_each_has_its_own_id_and_says_everything_but_whose_question_it_is(path: Path, questions: Questions) -> None:
    assert len({each["id"] for each in questions}) == len(questions)
    assert [each["id"] for each in questions if set(each) != KEYS] == []
    assert set(read_expectations(path)) == {each["id"] for each in questions}


def test_each_is_asked_in_a_language_and_of_a_report_that_its_course_has(
    courses: Mapping[str, Course], questions: Questions
) -> None:
    for each in questions:
        course = courses[each["course"]]
        assert each["language"] in {"en", course.language}, each["id"]
        assert any(each["theory"] in student.reports for student in course.students.values()), each["id"]


def test_follow_ups_and_no_others_have_something_said_before(questions: Questions) -> None:
    for each in questions:
        assert bool(each["history"]) == (each["category"] == "follow_up"), each["id"]
        assert len(each["history"]) <= 2, each["id"]
        assert all(set(said) == {"question", "answer"} for said in each["history"]), each["id"]


def test_questions_are_as_long_as_people_ask(questions: Questions) -> None:
    assert [each["id"] for each in questions if not 2 <= len(each["question"].split()) <= 60] == []


def test_the_tools_exist_and_arguments_are_of_those_that_are_acceptable(
    schemas: Mapping[str, Schemas], questions: Questions
) -> None:
    for each in questions:
        known = schemas[each["course"]]
        assert each["tools"], each["id"]
        assert set(each["tools"]) <= {"", *known}, each["id"]
        assert set(each["arguments"]) <= set(each["tools"]), each["id"]
        for tool, required in each["arguments"].items():
            assert required.keys() <= known[tool]["properties"].keys(), each["id"]


def test_weeks_are_weeks_of_the_course_and_texts_are_in_small_letters(
    courses: Mapping[str, Course], questions: Questions
) -> None:
    for each in questions:
        course = courses[each["course"]]
        for tool, required in each["arguments"].items():
            last = course.weeks_done if tool == OF_WEEKS_DONE else course.weeks
            for name, value in required.items():
                right = 1 <= value <= last if name == "week" else value and value == value.lower()
                assert right, (each["id"], tool, name, value)


def test_the_sets_share_no_question() -> None:
    one, other = (
        {plain(json.loads(line)["question"]) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()}
        for name in SETS
    )
    assert not one & other
