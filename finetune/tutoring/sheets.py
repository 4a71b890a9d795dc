"""Open turns as sheets that a writer reads, and what the writer answers as a batch's responses."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pydantic import TypeAdapter

from eval.lines import parse_lines
from finetune.tutoring.playing import OpenTurn
from scribe.messages import defuse
from scribe.plumbing.errors import RecordError
from scribe.plumbing.files import write_text
from scribe.trajectory import Answer
from scribe.transcript import of_step
from scribe.tutor import prompts
from scribe.tutor.prompting import find_newest_code, write_rules
from scribe.tutor.session import StudentTurn, TutoringSession, TutorTurn

_TASK = "\nThe task: "
_ANSWER = (
    "Answer each dialogue below with one line of JSON, in this order and nothing else:\n"
    '{"id": "d0001#1.1", "thought": "the note to yourself", "text": "what you say to the student"}\n'
    "No markers in it. Words of `text` are counted at spaces. A line of the solution in `text` is refused, also with "
    "other names for its variables."
)


@dataclass(frozen=True, slots=True)
class WrittenTurn:
    """A writer's line."""

    id: str
    thought: str
    text: str


_WRITTEN = TypeAdapter(WrittenTurn)


def write_sheets(folder: Path, number: int, waiting: Sequence[OpenTurn], writers: int) -> list[Path]:
    """Write a sheet for each writer: the rules once, each task once, then its dialogues."""
    ordered = sorted(waiting, key=lambda each: (each.plan.task, each.plan.language, each.id))
    share = -(-len(ordered) // writers)
    paths = []
    for writer, start in enumerate(range(0, len(ordered), max(1, share)), start=1):
        path = folder / f"{number}.sheet{writer}.md"
        write_text(path, "\n".join(_write_sheet(ordered[start : start + share])) + "\n")
        paths.append(path)
    return paths


def pack_answers(paths: Iterable[Path], out: Path, asked: Sequence[str]) -> int:
    """Write the writers' lines as a batch's responses; how many there were.

    asked: the ids that are open. Raises RecordError naming file and line for a line that is none, or another id.
    """
    found: dict[str, str] = {}
    for path in paths:
        for where, line in parse_lines(path, _WRITTEN, "the turns"):
            if line.id not in asked or line.id in found:
                reason = "stands twice" if line.id in found else "is not open"
                raise RecordError(f"{where}: the id {line.id!r} {reason}; open ones are {', '.join(asked[:5])} …")
            found[line.id] = write_turn(line.thought, line.text)
    write_text(out, "".join(_write_response(id, text) for id, text in found.items()))
    return len(found)


def write_turn(thought: str, text: str) -> str:
    """A tutor's turn as a model writes it."""
    (message,) = of_step(Answer(defuse(thought.strip()), text.strip()))
    return message.content.strip()


def _write_response(id: str, text: str) -> str:
    body = {"choices": [{"message": {"role": "assistant", "content": text}}]}
    line = {"custom_id": id, "response": {"status_code": 200, "body": body}, "error": None}
    return json.dumps(line, ensure_ascii=False) + "\n"


def _write_sheet(waiting: Sequence[OpenTurn]) -> Iterator[str]:
    rules = prompts.text("rules.md").partition("\nFormat:")[0]
    yield f"{rules.replace('{language}', 'the language that stands at the task')}\n{_ANSWER}"
    for (task, language), group in groupby(waiting, key=lambda each: (each.plan.task, each.plan.language)):
        several = list(group)
        told = write_rules(several[0].session.brief).partition(_TASK)[2]
        yield f"\n# {task} ({language})\n\n{told}"
        for each in several:
            yield f"\n## {each.id}\n"
            yield from _write_dialogue(each.session)
            if each.complaint:
                yield f"\nYour last turn was refused: {each.complaint}"


def _write_dialogue(session: TutoringSession) -> Iterator[str]:
    if not session.turns:
        yield prompts.part("begin")
    newest = find_newest_code(session.turns)
    results = [at for at, turn in enumerate(session.turns) if isinstance(turn, StudentTurn) and turn.results]
    for at, turn in enumerate(session.turns):
        yield f"{'Tutor' if isinstance(turn, TutorTurn) else 'Student'}: {turn.text}"
        if isinstance(turn, StudentTurn) and at == newest:
            yield f"```python\n{turn.code.rstrip()}\n```"
    last = session.turns[results[-1]] if results else None
    if isinstance(last, StudentTurn):
        yield f"Tests:\n{last.results}"
