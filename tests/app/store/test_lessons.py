"""Lessons with the tutor in the database."""

import pytest

from app.store.database import Database
from app.store.lessons import StoredLesson, list_lessons
from app.tutoring.keeping import LessonGone
from data.tasks.brief import make_brief
from data.tasks.reading import find_task
from scribe.tutor.records import SavedSession, pack_turns
from scribe.tutor.session import TutoringSession, TutorTurn
from tests.app.store.conftest import Clock

BRIEF = make_brief(find_task("final-grade"), "English")
SAVED = SavedSession(BRIEF, pack_turns(TutoringSession(BRIEF, (TutorTurn("Hello."),))), "vanilla", {"name": "scripted"})


def test_a_lesson_is_one_persons_on_one_task_in_one_language(database: Database, clock: Clock) -> None:
    shelf = StoredLesson(database, "ada", "final-grade", "en", clock)
    assert (shelf.load(), shelf.read_code()) == (None, "")
    shelf.change(lambda now: SAVED)
    shelf.write_code("def f(): pass\n")
    assert StoredLesson(database, "ada", "final-grade", "en").load() == SAVED
    assert shelf.read_code() == "def f(): pass\n"
    for other in (("bob", "final-grade", "en"), ("ada", "loan-desk", "en"), ("ada", "final-grade", "fr")):
        assert StoredLesson(database, *other).load() is None
    assert list_lessons(database, "ada", "en") == {"final-grade"}
    assert list_lessons(database, "ada", "fr") == list_lessons(database, "bob", "en") == frozenset()


def test_a_change_that_fails_changes_nothing(database: Database, clock: Clock) -> None:
    shelf = StoredLesson(database, "ada", "final-grade", "en", clock)

    def refuse(now: SavedSession | None) -> SavedSession:
        assert now == SAVED
        raise LessonGone("gone")

    shelf.change(lambda now: SAVED)
    with pytest.raises(LessonGone):
        shelf.change(refuse)
    assert shelf.load() == SAVED
