"""`scribe ask`: one question, its steps as they come, then the answer or the record."""

import argparse
import contextlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from app import build, steps, unresolved
from app import task as tasks
from app.asking import Event, Retracted, Said, Stepped, ask
from app.cli import UNRESOLVED
from app.settings import Settings
from app.spoken import ENGLISH, spoken
from scribe import records
from scribe.errors import UsageError
from scribe.records import Record
from scribe.trajectory import Answer, Exchange, Stop


def run(arguments: argparse.Namespace, settings: Settings, make: build.MakeBackend | None) -> int:
    """Ask, and return 0 when answered, 3 when not."""
    chosen = with_model(settings, arguments).changed("answer", seed=arguments.seed, temperature=arguments.temperature)
    chosen = chosen.changed("model", parallel=1)  # one question, and each place takes the memory of a whole context
    screen = None if arguments.json else Terminal(sys.stdout)
    # A library that prints must not spoil the one line of JSON.
    with contextlib.redirect_stdout(sys.stderr):
        record = _asked(arguments, chosen, make, screen)
    if arguments.json:
        print(records.to_json(record))
    return 0 if record.stop is Stop.ANSWERED else UNRESOLVED


def with_model(settings: Settings, arguments: argparse.Namespace) -> Settings:
    """The settings with the model that the arguments name."""
    return settings.changed(
        "model",
        backend=arguments.backend,
        path=arguments.model,
        base_url=arguments.base_url,
        adapter=arguments.adapter,
        quantization=arguments.quantization,
        dialect=arguments.dialect,
        prompt=arguments.prompt,
    )


def _asked(
    arguments: argparse.Namespace,
    settings: Settings,
    make: build.MakeBackend | None,
    screen: "Terminal | None",
) -> Record:
    course = build.course(settings, arguments.course)
    student = build.student(course, arguments.student)
    earlier = _earlier(arguments.follow, course.id, student.id)[-settings.chat.history :]
    theory = arguments.theory or settings.courses.theory
    # Everything a person may have mistyped is looked at before the model is loaded, which takes a while.
    task = tasks.task(course, student, arguments.question, theory, earlier)
    assistant = build.assistant(settings, course, make)
    if screen:
        screen.language = task.language
    told = screen.tell if screen else lambda event: None
    record = ask(assistant.agent(student.id), task, told)
    if screen:
        screen.end(record)
    return record


def _earlier(path: str | None, course: str, student: str) -> Sequence[Exchange]:
    """The answered questions of earlier records. Raises UsageError if they are of another student."""
    if path is None:
        return ()
    try:
        kept = list(records.read(Path(path)))
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the records {path} cannot be read: {error}") from error
    for record in kept:
        if (record.task.course, record.task.student) != (course, student):
            raise UsageError(
                f"{path} holds a question of student {record.task.student} in {record.task.course}; "
                f"only those of {student} in {course} can be followed"
            )
    return tuple(Exchange(record.task.question, record.answer) for record in kept if record.answer)


@dataclass(slots=True)
class Terminal:
    """Shows steps as they are taken and the answer as it is said."""

    out: TextIO
    shown: str = ""
    language: str = ENGLISH

    def tell(self, event: Event) -> None:
        """Print one event at once."""
        match event:
            case Stepped(Answer()):
                pass  # its evidence is told at the end
            case Stepped(step):
                for line in steps.lines(step, self.language):
                    self._write(("\n" if self.shown else "") + f"· {line}\n")
            case Said(text):
                self._write(("" if self.shown else "\n") + steps.printable(text))
                self.shown += text
            case Retracted():
                self._write(f"\n· {spoken(self.language).retracted}\n")
                self.shown = ""

    def end(self, record: Record) -> None:
        """Print what is left of the answer, and what it rests on, or why there is none."""
        final = record.answer or unresolved.explained(record.trajectory)
        rest = final.removeprefix(self.shown) if self.shown else f"\n{final}"
        self._write(steps.printable(rest) + "\n")
        last = record.steps[-1] if record.steps else None
        if last is not None and (evidence := steps.evidence(last)):
            lines = "".join(f"  {line}\n" for line in evidence)
            self._write(f"\n· {steps.lines(last, self.language)[0]}\n{lines}")

    def _write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()
