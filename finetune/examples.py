"""Trajectories to token ids and loss weights, by the serving template, grouped by what they share.

A group is one student's prefix (rules, tools, course, report) with the tails of several questions. Weight 1
lies on what the model wrote and should write; questions and tool results get `BACKGROUND`, since predicting
them teaches the copying that answers need; faulty turns get none, so that mistakes are shown but not taught.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scribe.backends.template import Segment, message_segments, segments
from scribe.trajectory import Act, Fault, Step, Trajectory
from scribe.transcript import of_step, opening

BACKGROUND = 0.1
Encode = Callable[[str, bool], list[int]]
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


def group(trajectories: Sequence[Trajectory], tools: str, encode: Encode, longest: int = 640) -> Group:
    """One group of trajectories that share course and report. Tails over `longest` tokens are dropped.

    Raises ValueError if the trajectories do not share their opening.
    """
    systems = {opening(trajectory.task, tools)[0] for trajectory in trajectories}
    if len(systems) != 1:
        raise ValueError(f"the trajectories have {len(systems)} different openings, not one")
    message = systems.pop()
    prefix = _ids((segments((message,))[:1] + message_segments(message)), encode)
    report = encode(message.content[message.content.rindex("\nReport:") :], False)
    tails = [tail(trajectory, tools, encode) for trajectory in trajectories]
    kept = tuple(each for each in tails if len(each.ids) <= longest)
    return Group(np.array(prefix, np.int32), len(prefix) - len(report), kept)


def tail(trajectory: Trajectory, tools: str, encode: Encode) -> Tail:
    """Everything after the prefix: earlier exchanges, the question, and the steps."""
    ids: list[int] = []
    weights: list[float] = []
    for message in opening(trajectory.task, tools)[1:]:
        _append(ids, weights, message_segments(message), encode, taught=False)
    for step in trajectory.steps:
        for message in of_step(step):
            taught = message.role == "assistant" and _is_good(step)
            _append(ids, weights, message_segments(message), encode, taught)
    return Tail(np.array(ids, np.int32), np.array(weights, np.float32))


def _append(
    ids: list[int], weights: list[float], pieces: Iterable[Segment], encode: Encode, taught: bool
) -> None:
    """Add a message. Of a taught one the model writes all but the header and the opener."""
    written = list(pieces)
    given = 2 if taught else len(written)
    for place, piece in enumerate(written):
        new = encode(piece.text, piece.special)
        own = place >= given
        ids += new
        weights += [1.0 if own else (0.0 if piece.special else BACKGROUND)] * len(new)


def _is_good(step: Step) -> bool:
    if isinstance(step, Fault):
        return False
    return not isinstance(step, Act) or all(observation.ok for observation in step.observations)


def _ids(pieces: Iterable[Segment], encode: Encode) -> list[int]:
    return [number for piece in pieces for number in encode(piece.text, piece.special)]
