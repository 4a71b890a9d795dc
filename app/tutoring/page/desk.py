"""What all pages of the tutor share: the tasks, the model, whose lessons they are, and the lines people wait in."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from app.tutoring.opening import TutorOpener
from app.tutoring.page.hosts import TutoringHost
from app.tutoring.page.turn import PendingTutorTurn
from app.web.line import AT_ONCE, WAITING, WaitingLine
from data.tasks.format import CodingTask
from data.tasks.reading import find_task, list_tasks
from scribe.plumbing.errors import ScribeError
from scribe.sandbox.result import SandboxLimits

LONGEST_CODE, LONGEST_MESSAGE = 20_000, 2000
"""Characters of what a student may write."""
LIMITS = SandboxLimits(total_seconds=30.0)
"""Of one run of the tests."""
RUNS = 2
"""Runs of tests at a time, of all people together."""


class TutoringRefused(ScribeError):
    """Something that cannot be done; `kind` names the sentence that says so (`[refused]` in `texts_en.toml`)."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        super().__init__(f"refused: {kind}")


def read_tasks(folders: Iterable[Path] = ()) -> dict[str, CodingTask]:
    """The tasks with Scribe, and those in other folders, by their ids. Raises BrokenTask."""
    found = [find_task(name) for name in list_tasks()] + [find_task(str(folder)) for folder in folders]
    return {task.id: task for task in found}


@dataclass(frozen=True, slots=True)
class TutoringDesk:
    """What the pages share.

    tasks: by their ids. line: the one in which turns wait, with the chat's questions where there is a chat; tests: that
    of test runs.
    """

    tasks: Mapping[str, CodingTask]
    host: TutoringHost
    opener: TutorOpener
    line: WaitingLine = field(default_factory=lambda: WaitingLine(AT_ONCE, WAITING))
    tests: WaitingLine = field(default_factory=lambda: WaitingLine(RUNS, WAITING))
    running: dict[str, PendingTutorTurn] = field(default_factory=dict)
    """The turn that is being made for each person."""
