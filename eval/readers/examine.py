"""Ask fresh questions in order, a follow-up with the real answer before it: ``python -m eval.readers.examine OUT``.

OUT gets the records, one a line, for readers to mark (`BRIEF.md`). A line of the questions is `{"id", "course",
"student", "theory", "question"}`, and of a follow-up `"follows"`, the id of the question before it.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from eval.lines import parse_lines
from scribe import records
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.plumbing.progress import OnProgress, ignore_progress, show_progress
from scribe.plumbing.threads import map_in_threads
from scribe.records import Record
from scribe.trajectory import Exchange, Trajectory
from tools.assembly.assistant import Assistant, assemble_each, find_course
from tools.assembly.model import MakeBackend, make_backend
from tools.assembly.settings import BACKENDS, AssistantSettings

QUESTIONS = Path(__file__).with_name("questions.jsonl")


@dataclass(frozen=True, slots=True)
class ReaderQuestion:
    """A question of the examination. follows: the id of the one before it in its conversation."""

    id: str
    course: str
    student: str
    theory: str
    question: str
    follows: str = ""


_QUESTION = TypeAdapter(ReaderQuestion)


def read_questions(path: Path) -> list[ReaderQuestion]:
    """The questions of a file. Raises ScribeError naming file and line; what is followed must stand before."""
    found: dict[str, ReaderQuestion] = {}
    for where, question in parse_lines(path, _QUESTION, "the questions"):
        if question.id in found or (question.follows and question.follows not in found):
            raise UsageError(f"{where}: {question.id!r} is there twice, or follows what is not before it")
        found[question.id] = question
    return list(found.values())


def group_conversations(questions: Sequence[ReaderQuestion]) -> list[list[ReaderQuestion]]:
    """The questions in groups that depend on each other, each in its order."""
    group: dict[str, list[ReaderQuestion]] = {}
    for question in questions:
        chosen = group.get(question.follows, [])
        chosen.append(question)
        group[question.id] = chosen
    return list({id(each): each for each in group.values()}.values())


def ask(assistants: Mapping[str, Assistant], conversation: Sequence[ReaderQuestion]) -> Iterator[Record]:
    """The records of one conversation. Raises UsageError for a student or theory that is not there."""
    ended: dict[str, Trajectory] = {}
    for question in conversation:
        found = assistants[question.course]
        task = found.task(question.student, question.question, question.theory, _history(ended.get(question.follows)))
        ended[question.id] = found.agent(question.student).run(Trajectory(task))
        yield Record.of(ended[question.id], question.id, found.backend.info)


def examine(
    settings: AssistantSettings,
    questions: Sequence[ReaderQuestion],
    out: Path,
    make: MakeBackend = make_backend,
    on_progress: OnProgress = ignore_progress,
) -> int:
    """Ask all and write the records whole, in the order of the questions; returns how many have no answer."""
    names = sorted({question.course for question in questions})
    courses = {name: find_course(settings, name) for name in names}
    by_id = assemble_each(settings, courses.values(), make(settings))
    assistants = {name: by_id[course.id] for name, course in courses.items()}
    found: list[Record] = []

    def ask_group(group: Sequence[ReaderQuestion]) -> list[Record]:
        return list(ask(assistants, group))

    for made in map_in_threads(ask_group, group_conversations(questions), settings.model.parallel):
        found += made
        on_progress("asking", len(found), len(questions))
    places = {question.id: place for place, question in enumerate(questions)}
    records.write(out, sorted(found, key=lambda record: places[record.id]))
    return sum(not record.answer for record in found)


def _history(before: Trajectory | None) -> tuple[Exchange, ...]:
    """What a follow-up leans on; nothing where the question before it got no answer."""
    if before is None or before.answer is None:
        return ()
    return (*before.task.history, Exchange(before.task.question, before.answer))


def main(words: Sequence[str] | None = None) -> int:
    """Ask, and say how many have no answer; 2 if something given cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m eval.readers.examine", description=__doc__)
    parser.add_argument("out", type=Path, help="file of the records")
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--backend", choices=BACKENDS, help="default: llama")
    parser.add_argument("--model", metavar="PATH_OR_NAME", help="default: the model that comes with Scribe")
    parser.add_argument("--base-url", metavar="URL", help="address of an OpenAI-compatible API")
    given = parser.parse_args(words)
    chosen = {"backend": given.backend, "path": given.model, "base_url": given.base_url}
    try:
        questions = read_questions(given.questions)
        with show_progress() as on_progress:
            settings = AssistantSettings().with_changes("model", **chosen)
            missing = examine(settings, questions, given.out, on_progress=on_progress)
    except ScribeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{len(questions)} questions, {missing} without an answer: {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
