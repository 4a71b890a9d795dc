"""The section [filter] of a pipeline: what a trajectory must be to be learned from."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge


@dataclass(frozen=True, slots=True)
class FilterSettings:
    """By rule: grounded, whether what answers claim must be supported; faults, how many mistakes put right may be
    shown; needless_calls, whether the same call again is let pass.

    Lengths in tokens of the model to train, 0 for no limit: longest of the whole conversation as it is trained,
    shortest_answer and longest_answer.

    judgements: a file that `scribe judge` wrote on these trajectories; empty for none. judge: whose verdicts count,
    needed where the file has several. criteria: those that must be YES; all rubrics that come with Scribe if empty.
    repeats: of several verdicts by one criterion, must each be YES, or most of them. courses: where bundles lie.
    """

    grounded: bool = True
    faults: Annotated[int, Ge(0)] = 1
    needless_calls: bool = False
    longest: Annotated[int, Ge(0)] = 4096
    shortest_answer: Annotated[int, Ge(0)] = 5
    longest_answer: Annotated[int, Ge(0)] = 400
    judgements: str = ""
    judge: str = ""
    criteria: tuple[str, ...] = ()
    repeats: Literal["every", "most"] = "every"
    courses: str = ""
