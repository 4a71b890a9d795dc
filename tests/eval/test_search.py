"""Measuring search: reading queries, ranking, and the tables."""

import json
from pathlib import Path

import pytest

from data.course import Course
from eval import search
from eval.search import Asked, Found, Library, Query
from scribe.errors import UsageError
from tests.tools.small_course import ScriptedEmbedder, course_with, student
from tools.search.vector_store import VectorStore


def query(text: str, *gold: str, kind: str = "exact") -> Query:
    return Query("q", "sig", kind, text, frozenset(gold))


@pytest.fixture
def library(tmp_path: Path) -> Library:
    course: Course = course_with(student())
    return Library(course, VectorStore(ScriptedEmbedder(), tmp_path))


def test_sections_and_exercises_are_ranked_together_in_each_way(library: Library) -> None:
    asked = library.ask(query("convoluton", "4.1", "x-04-01"))
    assert asked.found["meaning"].rank(asked.query.gold) > 1  # the misspelt word means nothing
    assert asked.found["words"].rank(asked.query.gold) == asked.found["joined"].rank(asked.query.gold) == 1
    assert {len(found.ids) for found in asked.found.values()} == {10}
    assert asked.found["joined"].seconds > 0


def test_a_query_on_nothing_is_seen_to_be_refused(library: Library) -> None:
    asked = [library.ask(query("French revolution")), library.ask(query("DFT", "3.1"))]
    assert search.refusals(asked) == (
        "refused as off the subject: 0 of 1 queries with a right answer; 1 of 1 queries with none"
    )


def test_a_right_answer_that_the_course_does_not_have_is_an_error(library: Library) -> None:
    with pytest.raises(UsageError, match=r"query q: course sig has no 9\.9"):
        library.ask(query("DFT", "9.9", "3.1"))


def test_the_table_gives_recall_and_mean_reciprocal_rank_by_kind() -> None:
    first, third, last = Found(("a", "b", "c", "d")), Found(("b", "c", "a", "d")), Found(("b", "c", "d", "a"))
    rows = [
        Asked(query("q", "a"), "en", {"one": first, "two": third}),
        Asked(query("q", "a", kind="misspelt"), "en", {"one": third, "two": last}),
        Asked(query("q", kind="off"), "en", {"one": first, "two": first}),
    ]
    table = search.table(rows).splitlines()
    assert table[0] == "| language | kind | n | one: R@1 / R@3 / MRR | two: R@1 / R@3 / MRR |"
    assert table[2] == "| en | exact | 1 | 1.00 / 1.00 / 1.00 | 0.00 / 1.00 / 0.33 |"
    assert table[-1] == "| en | all | 2 | 0.50 / 1.00 / 0.67 | 0.00 / 0.50 / 0.29 |"


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    good = {"id": "1", "course": "dsp", "kind": "exact", "query": "DFT", "gold": ["4.1"]}
    path.write_text(f"{json.dumps(good)}\n{json.dumps(good | {'gold': 3})}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"queries\.jsonl:2: gold"):
        search.read(path)
    with pytest.raises(UsageError, match="cannot be read"):
        search.read(tmp_path / "none.jsonl")


def test_the_published_queries_ask_for_what_the_courses_have() -> None:
    for path in (*search.TESTS, search.HERE / "tuning.jsonl"):
        queries = search.read(path)
        assert len({one.id for one in queries}) == len(queries) >= 60
        for name in {one.course for one in queries}:
            course = search.course(name)
            known = {each.id for each in course.textbook} | {each.id for each in course.exercises}
            assert all(one.gold <= known for one in queries if one.course == name), (path.name, name)


def test_a_course_that_is_nowhere_is_an_error() -> None:
    with pytest.raises(UsageError, match="there is no course 'nix'"):
        search.course("nix")
