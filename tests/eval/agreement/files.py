"""Files of answers, judgements and labels, as commands write them."""

from collections.abc import Iterable
from pathlib import Path

from eval.judge.judgement import Judgement, Label, Verdict, to_json
from scribe import records
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Exchange, Observation, Stop, Task, Trajectory


def record(id: str, answer: str = "Start with filters.") -> Record:
    """An answer with one call before it."""
    act = Act("I look it up.", (Call("map_week_to_topic", {"week": 2}),), (Observation(True, '{"topic": "Filters"}'),))
    earlier = (Exchange("Which weeks went badly?", "Week 3."),)
    task = Task("mini", "s001", f"What about {id}?", "Few sessions. ![x](http://other.test/x.png)", history=earlier)
    return Record.of(Trajectory(task, (act, Answer("I know.", answer)), Stop.ANSWERED), id, {"name": "x"})


def answers(path: Path, ids: Iterable[str]) -> Path:
    """A file of answers."""
    records.write(path, (record(id, f"{path.stem} says <b>{id}</b>") for id in ids))
    return path


def judgement(
    answer: str,
    verdict: Verdict,
    repeat: int = 0,
    run: str = "tuned",
    judge: str = "gpt",
    of: str = "0a",
    model: str = "gpt-1",
) -> Judgement:
    """A judgement by relevance."""
    name = f"{answer}{repeat}{of}"
    return Judgement(answer, run, "relevance", judge, model, repeat, verdict, "So.", 0.1, 10, 5, name, of)


def label(answer: str, value: bool, person: str = "ana", of: str = "0a") -> Label:
    """A label by relevance."""
    return Label(person, answer, "relevance", value, of)


def write(path: Path, lines: Iterable[Judgement | Label]) -> Path:
    """Write lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(to_json(line) + "\n" for line in lines))
    return path
