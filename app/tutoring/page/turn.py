"""A dialogue as chat messages, and the tutor's turn that is being made: in a thread, shown while it grows."""

import logging
import queue
import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from app.tutoring.keeping import LessonGone
from app.tutoring.lesson import Lesson
from app.web.turn import TICK, TICKS, ChatMessage
from scribe.plumbing.errors import ScribeError
from scribe.tutor.session import StudentTurn, Turn, TutoringSession
from scribe.tutor.speaking import TurnStopped

Trouble = Literal["", "stopped", "gone", "no_model", "broken"]
"""Why no turn came; what the page says of it has these names."""
_CODE = re.compile(r"(```.*?(?:```|$)|`[^`\n]+`)", re.DOTALL)
_DUNDER = re.compile(r"(?<![\w*])(__\w+?__)(?![\w*])")
_MARKUP = re.compile(r"([\\*_#\[\]<>!|~$&])")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class PendingTutorTurn:
    """The next turn of a lesson. `stopped` may be set from any thread; `trouble` is there at the end.

    `watch` and `stopped` are what the lesson's tutor is opened with.
    """

    stopped: threading.Event = field(default_factory=threading.Event)
    trouble: Trouble = ""
    _news: "queue.Queue[str | None]" = field(default_factory=queue.Queue)
    """The turn so far, again and again; None when it is over."""

    def watch(self, text: str) -> None:
        """See the turn while it is written."""
        self._news.put(text)

    def follow(self, lesson: Lesson) -> Iterator[str]:
        """The turn so far, empty while there is nothing, again and again until the lesson has it or trouble came."""
        threading.Thread(target=self._work, args=(lesson,), daemon=True).start()
        shown: str | None = ""
        try:
            while shown is not None:
                yield shown  # also when nothing came: only then can Gradio end it for a page that was left
                shown = self._wait(shown)
        finally:
            self.stopped.set()  # also when the browser has gone: the model must not go on for nobody

    def _wait(self, shown: str) -> str | None:
        for _ in range(TICKS):
            if self.stopped.is_set():
                self.trouble = self.trouble or "stopped"
                return None
            try:
                return self._news.get(timeout=TICK)
            except queue.Empty:
                continue
        return shown

    def _work(self, lesson: Lesson) -> None:
        try:
            lesson.speak()
        except TurnStopped:
            self.trouble = "stopped"
        except LessonGone:
            self.trouble = "gone"
        except ScribeError as error:
            log.warning("the tutor could not answer: %s", error)
            self.trouble = "no_model"
        except Exception:
            log.exception("unforeseen while the tutor answered")
            self.trouble = "broken"
        finally:
            self._news.put(None)


def show_session(session: TutoringSession, say: Mapping[str, Any]) -> list[ChatMessage]:
    """The whole dialogue."""
    return [show_turn(turn, say) for turn in session.turns]


def show_turn(turn: Turn, say: Mapping[str, Any]) -> ChatMessage:
    """One turn. Of the student's text nothing but code is taken for markup."""
    if not isinstance(turn, StudentTurn):
        return {"role": "assistant", "content": mark_names(turn.text) or f"_{say['speechless']}_"}
    seen = say["with_results"] if turn.results else say["with_code"] if turn.code else ""
    text = escape_markup(turn.text)
    return {"role": "user", "content": f"{text}\n\n_{seen}_" if seen else text}


def mark_names(text: str) -> str:
    """A tutor's Markdown in which `__init__` is a name where it would make "init" bold."""
    parts = _CODE.split(text)
    return "".join(part if at % 2 else _DUNDER.sub(r"`\1`", part) for at, part in enumerate(parts))


def escape_markup(text: str) -> str:
    """The text as Markdown that shows it as it was typed; what stands between backticks stays code."""
    parts = _CODE.split(text)
    return "".join(part if at % 2 else _MARKUP.sub(r"\\\1", part) for at, part in enumerate(parts))
