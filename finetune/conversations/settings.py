"""The section [trajectories] of a pipeline: where the conversations come from."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Ge, Gt

from data.bundle import COURSES
from finetune.conversations.dataset import SHIPPED


@dataclass(frozen=True, slots=True)
class TrajectorySettings:
    """source: "dataset", a set that is there; "files", a writer that is asked by request files, round by round.

    dataset: the set's file; empty for the one that comes with Scribe.
    plain: take its answers as they were said anew for a small model, shorter and with fewer figures.
    questions: the file of questions that the writer is asked.
    courses: the folder of bundles; empty for those that come with Scribe.
    model: what requests call the writer; the tool that runs them may need the name.
    temperature, max_tokens: of the requests.
    steps, faults: the agent's limits; an answer that the check refuses goes back to the writer.
    """

    source: Literal["dataset", "files"] = "dataset"
    dataset: str = ""
    plain: bool = False
    questions: str = ""
    courses: str = ""
    model: str = "writer"
    temperature: Annotated[float, Ge(0)] = 0.7
    max_tokens: Annotated[int, Gt(0)] = 700
    steps: Annotated[int, Gt(0)] = 8
    faults: Annotated[int, Ge(0)] = 2

    @property
    def dataset_file(self) -> Path:
        """The set's file."""
        return Path(self.dataset).expanduser() if self.dataset else SHIPPED

    @property
    def courses_folder(self) -> Path:
        """Where the bundles lie."""
        return Path(self.courses).expanduser() if self.courses else COURSES
