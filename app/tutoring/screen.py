"""A lesson at a terminal: what the tutor says as it comes, what the student types, commands behind a slash."""

import os
import shlex
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from app.dialogue.wording import make_printable
from app.tutoring.keeping import FileShelf
from app.tutoring.lesson import Lesson
from app.tutoring.wording import load_words, write_progress, write_suite, write_task
from scribe.plumbing.errors import UsageError
from scribe.sandbox.result import SandboxMissing
from scribe.tutor.session import Language, TutorTurn


@dataclass(slots=True)
class TutorVoice:
    """Shows a turn while it is written; given to a `Speaker` as its watch."""

    out: TextIO
    language: Language
    shown: str = ""

    def __call__(self, text: str) -> None:
        """Show what is new, or say that what was shown is taken back."""
        if not text:
            self._write(f"\n{load_words(self.language)['taken_back']}\n")
        else:
            self._write(make_printable(text.removeprefix(self.shown)))
        self.shown = text

    def end(self, text: str) -> None:
        """Show what is left of the turn that was said."""
        if self.shown and not text.startswith(self.shown):
            self("")
        rest = text.removeprefix(self.shown) or ("" if text else load_words(self.language)["speechless"])
        self._write(f"{make_printable(rest)}\n")
        self.shown = ""

    def _write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()


@dataclass(slots=True)
class TutoringScreen:
    """Reads lines and lets the lesson go on until it is left or there are no more lines."""

    lesson: Lesson
    files: FileShelf
    voice: TutorVoice
    lines: Callable[[], str]
    """The next line with its end; empty when there is none."""

    def run(self) -> None:
        """The whole visit. Raises BackendError if the model fails; what was said is kept."""
        session = self.lesson.session
        self._tell(write_task(session.brief))
        self._tell(f"\n{self._word('help').strip().format(file=self.files.code)}")
        if session.turns:
            self._tell(f"\n{self._word('going_on').format(rounds=session.rounds)}")
            spoken = [turn.text for turn in session.turns if isinstance(turn, TutorTurn)]
            if spoken and not self.lesson.awaits_tutor:
                self._tell(f"\n{spoken[-1]}")
        while True:
            if self.lesson.awaits_tutor:
                self._let_speak()
            self._write("\n> ")
            line = self.lines()
            if not line or line.strip() == "/quit":
                return
            self._take(line.strip())

    def _let_speak(self) -> None:
        self._write("\n")
        turn = self.lesson.speak()
        self.voice.end(turn.text)
        belief = turn.belief or self.lesson.trace()
        self._tell(write_progress(self.lesson.session.brief, belief))

    def _take(self, line: str) -> None:
        command, _, rest = line.partition(" ")
        match command:
            case "/test":
                self._test()
            case "/edit":
                self._edit()
            case "/code":
                self._choose(Path(rest.strip()).expanduser())
            case "/task":
                self._tell(write_task(self.lesson.session.brief))
            case "/help":
                self._tell(self._word("help").strip().format(file=self.files.code))
            case "":
                if self.lesson.saved.results:
                    self.lesson.hear(self._word("nothing_said"))
            case _ if command.startswith("/"):
                self._tell(self._word("unknown").format(command=command))
            case _:
                self.lesson.hear(line)

    def _test(self) -> None:
        try:
            result = self.lesson.run_tests()
        except (SandboxMissing, UsageError) as error:
            self._tell(str(error))
            return
        self._tell(write_suite(result, self.lesson.session.brief.language))

    def _edit(self) -> None:
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
        if not editor:
            self._tell(self._word("no_editor").format(file=self.files.code))
            return
        try:
            subprocess.run([*shlex.split(editor), str(self.files.code)], check=True)
        except (OSError, ValueError, subprocess.CalledProcessError):
            self._tell(self._word("editor_failed").format(editor=editor))

    def _choose(self, file: Path) -> None:
        if not file.is_file():
            self._tell(self._word("no_file").format(file=file))
            return
        self.files.code = file
        self._tell(self._word("file").format(file=file))

    def _word(self, name: str) -> str:
        return load_words(self.lesson.session.brief.language)[name]

    def _tell(self, text: str) -> None:
        self._write(f"{make_printable(text)}\n")

    def _write(self, text: str) -> None:
        self.voice.out.write(text)
        self.voice.out.flush()
