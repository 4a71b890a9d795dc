"""Trajectories to token ids and loss weights, by the serving template, grouped by what they share.

A group is one student's prefix (rules, tools, course, report) with the tails of several questions. Weight 1
lies on what the model wrote and should write; questions and tool results get `BACKGROUND`, since predicting
them teaches the copying that answers need; faulty turns get none, so that mistakes are shown but not taught.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from finetune.lora.rows import is_good
from scribe.backends.chat import ChatTokenizer, Encode
from scribe.backends.chat.llama3 import LLAMA3
from scribe.messages import Message
from scribe.trajectory import Trajectory
from scribe.transcript import of_step, opening

BACKGROUND = 0.1
Ids = NDArray[np.int32]
Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tail:
    """One question after the prefix: ids (T,) and the loss weight of each id as a target (T,)."""

    ids: Ids
    weights: Weights


@dataclass(frozen=True, slots=True)
class Group:
    """A prefix (P,) and the tails that follow it; `report_start` is where the student's own part begins."""

    prefix: Ids
    report_start: int
    tails: tuple[Tail, ...]


def group(trajectories: Sequence[Trajectory], tools: str, encode: Encode, longest: int = 900) -> Group:
    """One group of trajectories that share course and report. Tails over `longest` tokens are dropped,
    and so is what was answered in parts: nothing that a model reads as a whole.

    Raises ValueError if the trajectories do not share their opening.
    """
    systems = {opening(trajectory.task, tools)[0] for trajectory in trajectories}
    if len(systems) != 1:
        raise ValueError(f"the trajectories have {len(systems)} different openings, not one")
    message = systems.pop()
    prefix = [*encode(LLAMA3.prompt_start, True), *(number for ids, _ in _pieces(message, encode) for number in ids)]
    report = encode(message.content[message.content.rindex("\nReport:") :], False)
    tails = [tail(trajectory, tools, encode) for trajectory in trajectories if not trajectory.in_parts]
    kept = tuple(each for each in tails if len(each.ids) <= longest)
    # One more for the end of the turn behind the report.
    return Group(np.array(prefix, np.int32), len(prefix) - len(report) - 1, kept)


def tail(trajectory: Trajectory, tools: str, encode: Encode) -> Tail:
    """Everything after the prefix: earlier exchanges, the question, and the steps."""
    ids: list[int] = []
    weights: list[float] = []
    context = opening(trajectory.task, tools)[1:]
    messages = [(message, False) for message in context]
    messages += [(message, is_good(step)) for step in trajectory.steps for message in of_step(step)]
    for message, good in messages:
        for new, written in _pieces(message, encode):
            ids += new
            weights += [(1.0 if good else 0.0) if written else BACKGROUND] * len(new)
    return Tail(np.array(ids, np.int32), np.array(weights, np.float32))


def _pieces(message: Message, encode: Encode) -> list[tuple[list[int], bool]]:
    """The ids of one message in pieces, and whether the model wrote them; no BOS."""
    return ChatTokenizer(LLAMA3, encode).labelled_message(message)

