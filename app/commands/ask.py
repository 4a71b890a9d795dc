"""`scribe ask`: one question, its steps as they come, then the answer or the record."""

import argparse
import contextlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from app.commands import UNRESOLVED
from app.commands.arguments import add_model, add_sampling, add_student, choose_model, choose_sampling
from app.dialogue.asking import AnswerRetracted, AnswerText, Event, StepTaken, ask
from app.dialogue.wording import choose_phrases, describe_step, explain_ending, list_evidence, make_printable
from scribe import records
from scribe.plumbing.errors import UsageError
from scribe.records import Record
from scribe.trajectory import Answer, Exchange, Stop
from tools import conversation as questions
from tools.assembly.assistant import assemble, find_course, find_student
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", metavar="QUESTION")
    add_student(parser)
    parser.add_argument("--theory", metavar="nr|ac|con", help="which of the student's reports is read")
    add_model(parser)
    parser.add_argument("--json", action="store_true", help="print the record as one line of JSON, nothing else")
    parser.add_argument("--follow", metavar="RECORDS.jsonl", help="earlier records, which this question follows on")
    add_sampling(parser)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    chosen = choose_sampling(choose_model(settings, arguments), arguments)
    # One question, and each place takes the memory of a whole context.
    chosen = chosen.with_changes("model", parallel=1)
    out = sys.stdout
    # A library that prints must not spoil the one line of JSON.
    with contextlib.redirect_stdout(sys.stderr):
        course = find_course(chosen, arguments.course)
        student = find_student(course, arguments.student)
        earlier = _read_earlier(arguments.follow, course.id, student.id)[-chosen.chat.history :]
        theory = arguments.theory or chosen.courses.theory
        # Everything a person may have mistyped is looked at before the model is loaded, which takes a while.
        task = questions.make_task(course, student.id, arguments.question, theory, earlier)
        agent = assemble(chosen, course, make(chosen)).agent(student.id)
        if arguments.json:
            record = ask(agent, task, lambda event: None)
        else:
            screen = Terminal(out, task.language)
            record = ask(agent, task, screen.tell)
            screen.end(record)
    if arguments.json:
        print(records.to_json(record))
    return 0 if record.stop is Stop.ANSWERED else UNRESOLVED


def _read_earlier(path: str | None, course: str, student: str) -> Sequence[Exchange]:
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
    return questions.check_history([Exchange(each.task.question, each.answer) for each in kept if each.answer])


@dataclass(slots=True)
class Terminal:
    out: TextIO
    language: str
    shown: str = ""

    def tell(self, event: Event) -> None:
        match event:
            case StepTaken(Answer()):
                pass  # its evidence is told at the end
            case StepTaken(step):
                for line in describe_step(step, self.language):
                    self._write(("\n" if self.shown else "") + f"· {line}\n")
            case AnswerText(text):
                self._write(("" if self.shown else "\n") + make_printable(text))
                self.shown += text
            case AnswerRetracted():
                self._write(f"\n· {choose_phrases(self.language).retracted}\n")
                self.shown = ""

    def end(self, record: Record) -> None:
        final = record.answer or explain_ending(record.trajectory)
        rest = final.removeprefix(self.shown) if self.shown else f"\n{final}"
        self._write(make_printable(rest) + "\n")
        last = record.steps[-1] if record.steps else None
        if last is not None and (evidence := list_evidence(last)):
            lines = "".join(f"  {line}\n" for line in evidence)
            self._write(f"\n· {describe_step(last, self.language)[0]}\n{lines}")

    def _write(self, text: str) -> None:
        self.out.write(text)
        self.out.flush()
