"""A lesson that several are at, and where it is kept."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.store.limits import LimitReached
from app.tutoring.keeping import FileShelf, LessonBusy, LessonGone
from app.tutoring.lesson import Lesson, begin_or_go_on
from app.tutoring.page.hosts import FileHost
from data.tasks.reading import find_task
from scribe.plumbing.files import lock
from scribe.tutor.session import TutoringSession, TutorTurn
from scribe.verify.bayesian import BayesianTracer

TASK = find_task("final-grade")


@dataclass(frozen=True, slots=True)
class ScriptedWords:
    """A tutor that says one thing, after something happened."""

    happens: Callable[[], object] = lambda: None
    name: str = "scripted"

    def speak(self, session: TutoringSession, seed: int = 0) -> TutorTurn:
        self.happens()
        return TutorTurn("What is asked?")


def open_lesson(path: Path, tutor: ScriptedWords, fresh: bool = False) -> Lesson:
    shelf = FileShelf(path, shared=True)
    saved = begin_or_go_on(shelf, TASK, "English", tutor.name, {}, 0, fresh)
    return Lesson(TASK, tutor, BayesianTracer(), saved, shelf)


def test_a_turn_is_not_put_into_a_lesson_that_was_begun_anew_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    open_lesson(path, ScriptedWords()).speak()
    lesson = open_lesson(path, ScriptedWords(lambda: open_lesson(path, ScriptedWords(), fresh=True)))
    lesson.hear("A mean.")
    with pytest.raises(LessonGone):
        lesson.speak()
    assert open_lesson(path, ScriptedWords()).session.turns == ()


def test_what_is_said_while_tests_ran_keeps_their_results(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    open_lesson(path, ScriptedWords()).speak()
    first = open_lesson(path, ScriptedWords())
    first.hear("A mean.")

    def have_results() -> None:
        shelf = FileShelf(path, shared=True)
        shelf.change(
            lambda now: type(first.saved)(first.saved.brief, first.saved.turns, "x", {}, results="test_a: passed")
        )

    open_lesson(path, ScriptedWords(have_results)).speak()
    assert open_lesson(path, ScriptedWords()).saved.results == "test_a: passed"


def test_a_page_leaves_alone_what_a_terminal_is_at(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    with lock(path), pytest.raises(LessonBusy):
        open_lesson(path, ScriptedWords()).speak()
    assert not path.exists()
    open_lesson(path, ScriptedWords()).speak()


def test_one_person_runs_one_thing_at_a_time_and_another_need_not_wait(tmp_path: Path) -> None:
    host = FileHost(tmp_path)
    with host.testing("ada"):
        with pytest.raises(LimitReached), host.testing("ada"):
            pass
        with host.testing("bob"), host.talking("ada"):
            pass
    with host.testing("ada"):
        pass
