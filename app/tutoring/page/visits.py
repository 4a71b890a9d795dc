"""From a request to the lesson it is about, and what a person may put into it; no Gradio.

Whose lesson it is comes from the host, on which task from the page's address, and what was said and run before from
the shelf. Of what a browser sends only code and message are taken, and only within their limits.
"""

from dataclasses import dataclass
from typing import Any

from app.tutoring.keeping import LessonShelf
from app.tutoring.lesson import Lesson, begin_or_go_on
from app.tutoring.page.desk import LIMITS, LONGEST_CODE, LONGEST_MESSAGE, TutoringDesk, TutoringRefused
from app.tutoring.page.texts import SPOKEN, load_tutor_texts
from app.tutoring.page.turn import PendingTutorTurn
from data.tasks.format import CodingTask
from scribe.tutor.session import StudentTurn


@dataclass(frozen=True, slots=True)
class TutoringDoor:
    """The way into lessons in one language, `en` or `fr`. Its methods raise ScribeError for what may not be."""

    desk: TutoringDesk
    language: str

    def find_task(self, request: Any) -> CodingTask:
        """The task that the page's address names. Raises TutoringRefused."""
        task = self.desk.tasks.get(str(request.query_params.get("task", "")))
        if task is None:
            raise TutoringRefused("no_task")
        return task

    def open(self, request: Any, turn: PendingTutorTurn | None = None, fresh: bool = False) -> Lesson:
        """The lesson as it is kept, or begun anew; with a turn, its tutor is seen and stopped by it."""
        task, opener = self.find_task(request), self.desk.opener
        shelf = self.desk.host.shelf(request, task.id, self.language)
        owner = self.desk.host.name_person(request)
        tutor = opener.open(task, owner, turn.watch, turn.stopped.is_set) if turn else opener.open(task, owner)
        model = dict(opener.backend.info)
        saved = begin_or_go_on(shelf, task, SPOKEN[self.language], tutor.name, model, opener.seed, fresh)
        return Lesson(task, tutor, opener.tracer, saved, shelf, LIMITS)

    def keep_code(self, shelf: LessonShelf, task: CodingTask, code: str | None) -> None:
        """Keep what stands in the editor, if it is new. Raises TutoringRefused for what is too long or no text."""
        text = code or ""
        if len(text) > LONGEST_CODE:
            raise TutoringRefused("code")
        _refuse_unreadable(text)
        if text.strip() != (shelf.read_code() or task.stub).strip():
            shelf.write_code(f"{text.rstrip()}\n" if text.strip() else "")

    def hear(self, lesson: Lesson, text: str | None, code: str | None) -> None:
        """Take a message with the code; an empty one only where code or results are new. Raises TutoringRefused."""
        self.keep_code(lesson.shelf, lesson.task, code)
        said, say = (text or "").strip(), load_tutor_texts(self.language)
        if lesson.awaits_tutor:
            raise TutoringRefused("gone")
        if len(said) > LONGEST_MESSAGE:
            raise TutoringRefused("long")
        _refuse_unreadable(said)
        if not said and not lesson.news:
            raise TutoringRefused("empty")
        lesson.hear(said or say["ran" if lesson.saved.results else "see_code"])


def find_results(lesson: Lesson) -> str:
    """What the tests said last, as the session has it; empty if they were never run."""
    turns = (turn for turn in reversed(lesson.session.turns) if isinstance(turn, StudentTurn) and turn.results)
    return lesson.saved.results or next((turn.results for turn in turns), "")


def _refuse_unreadable(text: str) -> None:
    """Raise TutoringRefused for what no file or database takes as text."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise TutoringRefused("unreadable") from error
    if "\0" in text:
        raise TutoringRefused("unreadable")
