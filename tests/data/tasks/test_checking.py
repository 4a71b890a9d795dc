"""The check finds tasks that test nothing, and ours have nothing that it finds."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from data.tasks.checking import check_set, check_task
from data.tasks.format import CodingTask
from data.tasks.reading import TASKS, find_task, list_tasks, read_task

walled = pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap: apt-get install bubblewrap")


def altered(tmp_path: Path, file: str, alter: Callable[[str], str]) -> CodingTask:
    folder = Path(shutil.copytree(TASKS / "word-ranking", tmp_path / "word-ranking"))
    (folder / file).write_text(alter((folder / file).read_text(encoding="utf-8")), encoding="utf-8")
    return read_task(folder)


@walled
@pytest.mark.timeout(300)
def test_the_check_names_the_tests_that_fail_for_each_wrong_version() -> None:
    check = check_task(find_task("word-ranking"))
    caught = {(each.component, each.number): each.tests for each in check.caught}
    assert check.problems == ()
    assert caught["stop-words", 1] == ("test_stop_words_are_left_out_but_not_words_that_contain_them",)
    assert all(caught.values())


@walled
@pytest.mark.timeout(300)
def test_a_wrong_version_that_passes_and_a_reference_that_fails_are_problems(tmp_path: Path) -> None:
    first = "def test_the_most_frequent_word_stands_first"
    task = altered(
        tmp_path,
        "tests.py",
        lambda text: (
            text[: text.index(first)]
            + "def test_it():\n    assert top_words('d c', 1) == [('d', 1)]\n"
            + "def test_nothing():\n    pass\n"
        ),
    )
    problems = [str(problem) for problem in check_task(task).problems]
    assert "tests.py: has 2 tests, not at least 3" in problems
    said = "failed assert top_words('d c', 1) == [('d', 1)]\n[('c', 1)] == [('d', 1)]"
    assert f"tests.py, test_it: the reference does not pass it: {said}" in problems
    assert "tests.py, test_nothing: passes although the target is missing" in problems
    assert "wrong/order.2.txt: passes every test, so none asks for this component" in problems


def test_our_tasks_have_dependencies_near_and_far_and_titles_of_their_own() -> None:
    assert check_set([find_task(name) for name in list_tasks()]) == ()


def test_a_set_without_a_kind_of_dependency_or_with_a_title_twice_is_a_problem() -> None:
    problems = [str(problem) for problem in check_set([find_task("word-ranking")] * 2)]
    assert "the tasks: none has a dependency intra_class" in problems
    assert "the tasks, The most frequent words of a text: is the title of two" in problems
