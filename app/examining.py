"""Ask fresh questions in order, a follow-up with the real answer before it: ``python -m app.examining OUT``.

OUT gets the records, one a line, for readers to mark (`eval/readers`). A line of the questions is `{"id", "course",
"student", "theory", "question"}`, and of a follow-up `"follows"`, the id of the question before it.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

import eval.readers
from app import build
from app.build import Assistant, MakeBackend
from app.settings import Settings, load
from scribe import records
from scribe.errors import ScribeError, UsageError
from scribe.records import Record
from scribe.trajectory import Exchange, Trajectory

QUESTIONS = Path(eval.readers.__file__).with_name("questions.jsonl")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the examination. follows: the id of the one before it in its conversation."""

    id: str
    course: str
    student: str
    theory: str
    question: str
    follows: str = ""


_ASKED = TypeAdapter(Asked)


def read(path: Path) -> list[Asked]:
    """The questions of a file. Raises UsageError naming file and line; what is followed must stand before."""
    found: dict[str, Asked] = {}
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            asked = _ASKED.validate_json(line)
            if asked.id in found or (asked.follows and asked.follows not in found):
                raise UsageError(f"{path}:{number}: {asked.id!r} is there twice, or follows what is not before it")
            found[asked.id] = asked
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise UsageError(f"{path}: line {len(found) + 1}: {error}") from error
    return list(found.values())


def conversations(questions: Sequence[Asked]) -> list[list[Asked]]:
    """The questions in groups that depend on each other, each in its order."""
    group: dict[str, list[Asked]] = {}
    for asked in questions:
        chosen = group.get(asked.follows, [])
        chosen.append(asked)
        group[asked.id] = chosen
    return list({id(each): each for each in group.values()}.values())


def ask(assistants: Mapping[str, Assistant], conversation: Sequence[Asked]) -> Iterator[Record]:
    """The records of one conversation. Raises UsageError for a student or theory that is not there."""
    ended: dict[str, Trajectory] = {}
    for asked in conversation:
        found = assistants[asked.course]
        task = found.task(asked.student, asked.question, asked.theory, _history(ended.get(asked.follows)))
        ended[asked.id] = found.agent(asked.student).run(Trajectory(task))
        yield Record.of(ended[asked.id], asked.id, found.backend.info)


def examine(settings: Settings, questions: Sequence[Asked], out: Path, make: MakeBackend | None = None) -> int:
    """Ask all and write the records whole, in the order of the questions; returns how many have no answer."""
    assistants = _assistants(settings, sorted({asked.course for asked in questions}), make)
    groups = conversations(questions)
    found: list[Record] = []
    with ThreadPoolExecutor(settings.model.parallel) as pool:
        for made in pool.map(lambda group: list(ask(assistants, group)), groups):
            found += made
            print(f"\r{len(found)} of {len(questions)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    places = {asked.id: place for place, asked in enumerate(questions)}
    records.write(out, sorted(found, key=lambda record: places[record.id]))
    return sum(not record.answer for record in found)


def _assistants(settings: Settings, courses: Sequence[str], make: MakeBackend | None) -> dict[str, Assistant]:
    """One for each course, over one model."""
    first = build.assistant(settings, build.course(settings, courses[0]), make)
    others = {name: build.assemble(settings, build.course(settings, name), first.backend) for name in courses[1:]}
    return {courses[0]: first, **others}


def _history(before: Trajectory | None) -> tuple[Exchange, ...]:
    """What a follow-up leans on; nothing where the question before it got no answer."""
    if before is None or before.answer is None:
        return ()
    return (*before.task.history, Exchange(before.task.question, before.answer))


def main(words: Sequence[str] | None = None) -> int:
    """Ask, and say how many have no answer; 2 if something given cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m app.examining", description=__doc__)
    parser.add_argument("out", type=Path, help="file of the records")
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    given = parser.parse_args(words)
    try:
        questions = read(given.questions)
        missing = examine(load(), questions, given.out)
    except ScribeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{len(questions)} questions, {missing} without an answer: {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
