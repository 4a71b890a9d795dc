"""Whether the engine, with many questions at once, answers as the same model does one question after the other.

    scribe bench same

The other one is `scribe.decoding.single_sequence` over one sequence: the same grammar and drawing, no engine. After a
fault the agent draws with some chance, where rounding tells sooner. So the turns up to there, all greedy, are compared
by themselves too.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from llguidance.llamacpp import lltokenizer_from_vocab

from eval.bench.engine import conditions
from eval.bench.engine.conditions import Conditions
from eval.bench.figure import Figure
from eval.bench.processes import log_progress, run_apart
from scribe.backend import Backend, Completion, Constraint, OnText, Sampling
from scribe.decoding.single_sequence import Decoder
from scribe.gguf.model import GgufModel
from scribe.messages import Message
from scribe.plumbing.threads import map_in_threads
from scribe.trajectory import Fault, Step, Trajectory


@dataclass(slots=True)
class OneAtATime:
    """The decoder that answers one prompt at a time, as a backend."""

    model: GgufModel
    info: Mapping[str, str] = field(default_factory=dict)
    _decoder: Decoder = field(init=False)

    def __post_init__(self) -> None:
        self._decoder = Decoder(self.model, self.model.chat, lltokenizer_from_vocab(self.model.vocabulary))

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        return self._decoder.complete(prompt, sampling, constraint, on_text)


def answer_questions(under: Conditions, at_once: int) -> list[Trajectory]:
    """What the engine answers with so many at once; with 0, what the other one answers."""
    backend: Backend = OneAtATime(GgufModel(under.model, under.settings.model.context, under.settings.model.threads))
    if at_once:
        backend = under.make_engine(at_once)
    answerer = under.make_answerer(backend)
    return list(map_in_threads(answerer.answer, under.questions, at_once or 1))


def take_greedy(steps: Sequence[Step]) -> Sequence[Step]:
    """The steps up to the first fault: what follows is drawn with some chance."""
    first = next((at for at, step in enumerate(steps) if isinstance(step, Fault)), len(steps))
    return steps[: first + 1]


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    conditions.add_options(parser, students=40, each=5)


def run(given: argparse.Namespace) -> Figure:
    """Both, and where they differ."""
    under = conditions.read_conditions(given)
    asked = under.questions
    log_progress(f"{len(asked)} questions, one at a time")
    alone = run_apart(answer_questions, under, 0)
    log_progress(f"the engine, {given.parallel} at once")
    joined = run_apart(answer_questions, under, given.parallel)
    pairs = list(zip(asked, alone, joined, strict=True))
    other = [f"{written.id}: {written.question}" for written, one, two in pairs if one.steps != two.steps]
    same = len(asked) - len(other)
    greedy = sum(take_greedy(one.steps) == take_greedy(two.steps) for _, one, two in pairs)
    row = str(len(asked)), *(f"{count} ({100 * count / len(asked):.1f} %)" for count in (greedy, same))
    numbers = {"questions": len(asked), "greedy_same": greedy, "same": same, "different": other}
    title = f"Answers of the engine, {given.parallel} at once, beside those of one at a time"
    head = "questions", "the same in every greedy step", "the same in every step"
    return Figure(title, under.machine, head, [row], numbers, other)
