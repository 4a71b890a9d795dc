"""Measuring search: reading queries, ranking, and the tables."""

import json
from pathlib import Path

import pytest

from data.course import Course
from eval.bench import search
from eval.bench.search import CourseSearch, Query, Ranking
from scribe.errors import UsageError
from tests.tools.small_course import ScriptedEmbedder, course_with, student
from tools.search.vault import Vault


def query(text: str, *gold: str, kind: str = "exact") -> Query:
    return Query("q", "sig", kind, text, frozenset(gold))


@pytest.fixture
def library(tmp_path: Path) -> CourseSearch:
    course: Course = course_with(student())
    return CourseSearch(course, Vault(ScriptedEmbedder(), tmp_path))


def test_sections_and_exercises_are_ranked_together_in_each_way(library: CourseSearch) -> None:
    asked = library.ask(query("convoluton", "4.1", "x-04-01"))
    assert asked.rank("meaning") > 1  # the misspelt word means nothing
    assert asked.rank("words") == asked.rank("joined") == 1
    assert {len(ids) for ids in asked.ids.values()} == {10}
    assert asked.seconds > 0


def test_a_query_on_nothing_is_seen_to_be_refused(library: CourseSearch) -> None:
    asked = [library.ask(query("French revolution")), library.ask(query("DFT", "3.1"))]
    assert search.count_refusals(asked) == (
        "refused as off the subject: 0 of 1 queries with a right answer; 1 of 1 queries with none"
    )


def test_a_right_answer_that_the_course_does_not_have_is_an_error(library: CourseSearch) -> None:
    with pytest.raises(UsageError, match=r"query q: course sig has no 9\.9"):
        library.ask(query("DFT", "9.9", "3.1"))


def test_the_table_gives_recall_and_mean_reciprocal_rank_by_kind() -> None:
    first, third, last = ("a", "b", "c", "d"), ("b", "c", "a", "d"), ("b", "c", "d", "a")
    rows = [
        Ranking(query("q", "a"), "en", {"meaning": first, "words": third, "joined": first}),
        Ranking(query("q", "a", kind="misspelt"), "en", {"meaning": third, "words": last, "joined": first}),
        Ranking(query("q", kind="off"), "en", {"meaning": first, "words": first, "joined": first}),
    ]
    table = search.tabulate(rows)
    assert list(table.head)[:4] == ["language", "kind", "n", "meaning: R@1 / R@3 / MRR"]
    assert list(table.rows[0])[:5] == ["en", "exact", 1, "1.00 / 1.00 / 1.00", "0.00 / 1.00 / 0.33"]
    assert list(table.rows[-1])[:5] == ["en", "all", 2, "0.50 / 1.00 / 0.67", "0.00 / 0.50 / 0.29"]


def test_a_broken_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    good = {"id": "1", "course": "dsp", "kind": "exact", "query": "DFT", "gold": ["4.1"]}
    path.write_text(f"{json.dumps(good)}\n{json.dumps(good | {'gold': 3})}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"queries\.jsonl:2: gold"):
        search.read_queries(path)
    with pytest.raises(UsageError, match="cannot be read"):
        search.read_queries(tmp_path / "none.jsonl")


def test_the_published_queries_ask_for_what_the_courses_have() -> None:
    for path in (*search.TESTS, search.QUERIES / "tuning.jsonl"):
        queries = search.read_queries(path)
        assert len({one.id for one in queries}) == len(queries) >= 60
        for name in {one.course for one in queries}:
            course = search.open_course(name)
            known = {each.id for each in course.textbook} | {each.id for each in course.exercises}
            assert all(one.gold <= known for one in queries if one.course == name), (path.name, name)


def test_a_course_that_is_nowhere_is_an_error() -> None:
    with pytest.raises(UsageError, match="there is no course 'nix'"):
        search.open_course("nix")
