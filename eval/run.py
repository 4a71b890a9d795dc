"""Let a model answer a file of questions, and count what needs no judge.

    python -m eval.run eval/student_questions.jsonl

A line is {"id", "course", "student", "theory", "question", "history", "tools", "category"}; `tools` are the
acceptable first tools, "" standing for an answer without any.
"""

import argparse
import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from rich.progress import track

from data.bundle import EMBEDDED, HINTS, WORDS, Course, find
from data.catalogue import load_catalogue
from scribe import records
from scribe.agent import Agent
from scribe.backend import Backend
from scribe.backends.llama import LlamaBackend
from scribe.errors import UsageError
from scribe.grounding import Grounding
from scribe.quoting import Check, Quoting, load_words
from scribe.records import Record
from scribe.trajectory import Exchange, Stop, Trajectory
from tools import lexicon, task
from tools.build import toolbox
from tools.embedder import SentenceEmbedder
from tools.hints import Hints, load
from tools.search.vault import Vault
from tools.web_search import WebSearch


@dataclass(frozen=True, slots=True)
class Written:
    """A question that a person wrote, with the first tools that would be right."""

    id: str
    course: str
    student: str
    theory: str
    question: str
    tools: tuple[str, ...]
    category: str
    history: tuple[Exchange, ...] = ()


_LINE = TypeAdapter(Written)


def read(path: Path) -> list[Written]:
    """The questions of a file. Raises UsageError naming file and line."""
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            found.append(_LINE.validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise UsageError(f"{path}:{number}: {where}: {first['msg']}") from error
    return found


class Asking:
    """A model and the courses it is asked about.

    web: gives it the optional tool. own_words: what a model that only quotes may add; None for one that writes freely.
    """

    def __init__(
        self, backend: Backend, web: WebSearch | None = None, own_words: Path | None = EMBEDDED / WORDS
    ) -> None:
        self.backend = backend
        self._web = web
        self._own = load_words(own_words) if own_words else None
        self._vault = Vault(SentenceEmbedder())
        self._hints = Hints(self._vault.embedder, load(EMBEDDED / HINTS))
        self._courses: dict[str, Course] = {}

    def answer(self, written: Written) -> Trajectory:
        """The ended trajectory of one question."""
        if written.course not in self._courses:
            self._courses[written.course] = find(written.course)
        course = self._courses[written.course]
        check: Check = Grounding(lexicon.make(course, load_catalogue()))
        if self._own is not None:
            check = Quoting(check, self._own)
        agent = Agent(self.backend, toolbox(course, written.student, self._vault, web=self._web), check)
        hint = self._hints(written.question, written.history)
        history = written.history if self._hints.leans(written.question) else ()
        asked = task.make(course, written.student, written.question, written.theory, history, hint)
        return agent.run(Trajectory(asked))


def first_tool(done: Trajectory) -> str:
    """The name of the first tool called, or an empty string."""
    return done.acts[0].calls[0].name if done.acts else ""


def table(rows: Sequence[tuple[Written, Trajectory]]) -> str:
    """By category: questions, share answered, share with an acceptable first tool, faults."""
    groups: dict[str, list[tuple[Written, Trajectory]]] = defaultdict(list)
    for written, done in rows:
        groups[written.category].append((written, done))
        groups["all"].append((written, done))
    lines = ["| category | n | answered | first tool acceptable | faults |", "|---|---|---|---|---|"]
    in_order = sorted(groups, key=lambda name: (name == "all", name))
    lines += [f"| {name} | {' | '.join(_figures(groups[name]))} |" for name in in_order]
    return "\n".join(lines)


def _figures(rows: Sequence[tuple[Written, Trajectory]]) -> Iterable[str]:
    yield str(len(rows))
    yield _percent(sum(done.stop is Stop.ANSWERED for _, done in rows), len(rows))
    yield _percent(sum(first_tool(done) in (written.tools or ("",)) for written, done in rows), len(rows))
    yield str(sum(len(done.faults) for _, done in rows))


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.1f} %"


def main() -> None:
    """Answer the file, keep the records, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--model", type=Path, default=EMBEDDED / "model.gguf")
    parser.add_argument("--out", type=Path, default=Path("runs/written.jsonl"))
    parser.add_argument("--show", action="store_true", help="print every question with its answer")
    given = parser.parse_args()
    asking = Asking(LlamaBackend(given.model))
    rows = [(written, asking.answer(written)) for written in track(read(given.questions), "questions")]
    records.write(given.out, (Record.of(done, w.id, asking.backend.info) for w, done in rows))
    for written, done in rows if given.show else ():
        calls = [(call.name, json.dumps(dict(call.arguments))) for act in done.acts for call in act.calls]
        print(f"\n{written.id} [{written.category}] {written.question}\n  {calls}\n  {done.stop}: {done.answer}")
    print(table(rows))
    print(f"median seconds: {statistics.median(done.usage.seconds for _, done in rows):.2f}")


if __name__ == "__main__":
    main()
