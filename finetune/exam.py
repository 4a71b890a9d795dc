"""Examine a model on held-out generated questions: does it end answered, choose the right tool, copy exactly?

    python -m finetune.exam --questions 300

The questions have wordings and students that training never saw. Of the answers' figures (numbers and weeks) three
things are counted. "Copied exactly": every sentence with a figure stands so in an observation or the report, whatever
was looked up; this is copying alone, over the answers that were given. "As the teacher's": all figures are those of the
teacher's answer to the same question, so the right thing was looked up too. "… after the same calls": the same, where
the same tools were called for the same weeks.
"""

import argparse
import json
import random
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.progress import track

from data.bundle import EMBEDDED, HINTS, PAIRS, WORDS, find
from finetune.hints import plain
from finetune.lessons import KINDS
from finetune.questions import split_students
from finetune.questions.categories import OUTSIDE, categories
from finetune.questions.offline import Offline
from finetune.questions.row import Row
from finetune.questions.source import Wanted
from finetune.trajectories.classroom import Classroom, RememberingEmbedder
from finetune.trajectories.expert import Expert
from finetune.trajectories.settings import TrajectorySettings
from finetune.trajectories.table import ACCEPTABLE
from scribe import neighbours, records
from scribe.agent import Agent
from scribe.backend import Backend, Sampling
from scribe.backends.copying import SHARE
from scribe.backends.llama import LlamaBackend
from scribe.figures import numbers, weeks
from scribe.grounding import Grounding
from scribe.quoting import Quoting, load_words
from scribe.records import Record
from scribe.trajectory import Stop, Trajectory
from tools import lexicon
from tools.embedder import MiniLM
from tools.reading.first_thought import openings
from tools.reading.reader import embedder_for, load
from tools.search.vault import Vault

FIGURES = ("copied exactly", "as the teacher's", "… after the same calls")


@dataclass(frozen=True, slots=True)
class Mark:
    """How one question went.

    `figures`: the teacher's answer holds a number or a week; only then `numbers` counts. `said`: the model's holds
    one that only a quotation can supply; only then `copied` counts.
    """

    intent: str
    answered: bool
    tool: bool
    numbers: bool
    figures: bool
    copied: bool
    said: bool
    same_calls: bool
    exact: bool
    faults: int
    seconds: float
    calls: int


def examine(
    backend: Backend, room: Classroom, expected: Sequence[tuple[str, Trajectory]]
) -> list[tuple[Mark, Trajectory]]:
    """Let the model answer each question that the teacher has answered."""
    own, pairs = load_words(EMBEDDED / WORDS), neighbours.load(EMBEDDED / PAIRS)
    check = Quoting(Grounding(lexicon.make(room.course, room.catalogue)), own, pairs)
    marked = []
    for intent, model_answer in track(expected, "questions"):
        tools = room.toolbox(model_answer.task.student)
        agent = Agent(backend, tools, check, sampling=Sampling(copying=SHARE), openings=openings)
        done = agent.run(Trajectory(model_answer.task))
        marked.append((mark(intent, done, model_answer), done))
    return marked


def mark(intent: str, done: Trajectory, expected: Trajectory) -> Mark:
    """Compare a trajectory with the teacher's."""
    first = done.acts[0].calls[0].name if done.acts else ""
    wanted = expected.acts[0].calls[0].name if expected.acts else ""
    # Where the teacher calls nothing, as for a week that does not exist, a call is no right tool.
    right = first in ACCEPTABLE.get(intent, frozenset()) if wanted and first else first == wanted
    said, meant = done.answer or "", expected.answer or ""
    answered = done.stop is Stop.ANSWERED
    figures = _has_figures(meant)
    same = answered and numbers(said) == numbers(meant) and weeks(said) == weeks(meant)
    calls = sum(len(act.calls) for act in done.acts)
    alike = _called(done) == _called(expected)
    faults, seconds = len(done.faults), done.usage.seconds
    copied, any_said = quoted(done), _must_be_quoted(said, done)
    return Mark(intent, answered, right, same, figures, copied, any_said, alike, said == meant, faults, seconds, calls)


def quoted(done: Trajectory) -> bool:
    """Whether each sentence of the answer that has a figure stands so in an observation or the report."""
    observed = (json.loads(o.content.splitlines()[0]) for act in done.acts for o in act.observations)
    texts = (text for result in observed for value in result.values() for text in _texts(value))
    sources = "\n".join((*texts, done.task.report))
    sentences = re.split(r"(?<=[.!?])\s+", done.answer or "")
    bare = (re.sub(r"^(First|Second): ", "", sentence) for sentence in sentences)
    return all(sentence in sources or not _must_be_quoted(sentence, done) for sentence in bare)


def _must_be_quoted(sentence: str, done: Trajectory) -> bool:
    """Whether it has a figure beyond weeks that the question or the line on the course spells out."""
    literal = set(re.findall(r"\d+", f"{done.task.question} {done.task.about}"))

    def known(phrase: re.Match[str]) -> str:
        return "" if set(re.findall(r"\d+", phrase.group())) <= literal else phrase.group()

    return _has_figures(re.sub(r"\bweeks? \d+(?: to \d+)?", known, sentence))


def _texts(value: object) -> Iterable[str]:
    return map(str, value) if isinstance(value, list) else (str(value),)


def _has_figures(text: str) -> bool:
    return bool(numbers(text) or weeks(text))


def table(marks: Iterable[Mark]) -> str:
    """The figures as a Markdown table, by intent and in all."""
    by_intent: dict[str, list[Mark]] = defaultdict(list)
    for each in marks:
        by_intent[each.intent].append(each)
        by_intent["all"].append(each)
    names = ("intent", "n", "answered", "first tool", *FIGURES, "faults")
    lines = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    for intent in sorted(by_intent, key=lambda name: (name == "all", name)):
        rows = by_intent[intent]
        meant = [row for row in rows if row.figures]
        alike = [row for row in meant if row.same_calls]
        shares = [_share(rows, "answered"), _share(rows, "tool"), _share([row for row in rows if row.said], "copied")]
        shares += [_share(meant, "numbers"), _share(alike, "numbers")]
        faults = sum(row.faults for row in rows)
        lines.append(f"| {intent} | {len(rows)} | {' | '.join(shares)} | {faults} |")
    return "\n".join(lines)


def _called(trajectory: Trajectory) -> list[tuple[str, str]]:
    """The calls that were made, with the arguments that matter: a query may be worded differently."""
    calls = [call for act in trajectory.acts for call in act.calls]
    return [(call.name, str(call.arguments.get("week", ""))) for call in calls]


def _share(rows: Sequence[Mark], name: str) -> str:
    if not rows:
        return "–"
    return f"{100 * sum(bool(getattr(row, name)) for row in rows) / len(rows):.1f}"


def expected(room: Classroom, count: int, seed: int) -> list[tuple[str, Trajectory]]:
    """So many questions of held-out wordings and students, each with its intent and the teacher's trajectory."""
    _, held = split_students(list(room.course.students))
    weights = {each.id: 1 if each.id == OUTSIDE else 2 for each in categories().values()}
    # A tenth more than needed: the teacher leaves a few questions out.
    each = -(-count * 11 // (10 * len(KINDS) * len(held) * sum(weights.values())))
    source, teacher = Offline(held_out=True), Expert({room.course.id: room}, TrajectorySettings(slips=0, varied=False))
    rows: list[Row] = []
    for student, theory in ((one, kind) for one in held for kind in KINDS):
        for category in categories().values():
            wanted = Wanted(room.course, student, theory, category, each * weights[category.id], seed)
            rows += source.questions(wanted)
    random.Random(seed).shuffle(rows)
    found: list[tuple[str, Trajectory]] = []
    for row in rows:
        if len(found) == count:
            break
        if record := teacher.answer(row).record:
            found.append((row.intent, record.trajectory))
    return found


def main() -> None:
    """Run the exam, print the table, keep the records."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=EMBEDDED / "model.gguf")
    parser.add_argument("--course", default="dsp")
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--out", type=Path, default=Path("runs/exam.jsonl"))
    parser.add_argument("--show", type=int, default=0, help="print so many wrong answers")
    given = parser.parse_args()
    embedder = RememberingEmbedder(MiniLM())
    beside = given.model.parent / HINTS
    head = load(beside if beside.exists() else EMBEDDED / HINTS)
    hinting = plain(embedder_for(head, embedder), head)
    room = Classroom(find(given.course), Vault(embedder), hinting)
    asked = expected(room, given.questions, given.seed)
    marked = examine(LlamaBackend(given.model), room, asked)
    marks = [each for each, _ in marked]
    records.write(given.out, (Record.of(t, f"{m.intent}-{n}", {"intent": m.intent}) for n, (m, t) in enumerate(marked)))
    print(table(marks))
    two = [m.seconds for m in marks if m.calls == 2]
    stops = Counter(str(t.stop) for _, t in marked)
    print(json.dumps({"stops": stops, "median_seconds_two_calls": round(statistics.median(two), 2) if two else None}))
    for (m, t), (_, e) in zip(marked, asked, strict=True):
        if given.show and not (m.answered and m.tool and m.numbers):
            given.show -= 1
            print(shown(m, t, e))


def shown(mark: Mark, done: Trajectory, expected: Trajectory) -> str:
    """A question with what was called and said, and what the teacher says."""
    called = [(call.name, dict(call.arguments)) for act in done.acts for call in act.calls]
    question = f"\n[{mark.intent}] {done.task.question}"
    return f"{question}\n  calls: {called}\n  says:  {done.answer}\n  ought: {expected.answer}"


if __name__ == "__main__":
    main()
