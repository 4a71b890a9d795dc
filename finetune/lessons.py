"""Lessons for the embedded model: questions of our own source about all courses, answered by the scripted expert.

    python -m finetune.lessons runs/embedded --students 60 --each 4

The pipeline's own steps make them (`finetune.questions`, `finetune.trajectories`), so a run that was killed goes on.
Held-out lessons are of wordings and students that training never sees.
"""

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from data.bundle import COURSES
from data.course import Course
from finetune.hints import TAUGHT
from finetune.manifest import Tell
from finetune.questions import step as questions
from finetune.questions.settings import Settings
from finetune.telling import shown
from finetune.trajectories import rooms
from finetune.trajectories import run as trajectories
from finetune.trajectories.classroom import Classroom
from finetune.trajectories.settings import TrajectorySettings
from finetune.trajectories.slips import FIRST
from scribe import records
from scribe.records import Record

KINDS = ("nr", "ac", "con")
COURSE = "course"
REPEATS = 40
SLIPS = 0.04


@dataclass(frozen=True, slots=True)
class Amount:
    """students: of each course, 0 for all. each: questions of a category about a report, of `COURSE` twice as many."""

    students: int = 60
    each: int = 4


HELD_OUT = Amount(3, 1)
LENGTHS = {"short": 0.45, "medium": 0.4, "long": 0.15}


def make(folder: Path, amount: Amount, held_out: bool, tell: Tell) -> list[Record]:
    """The lessons of one side of the split, taken from the folder or made there."""
    side = "held-out" if held_out else "lessons"
    asked, told = folder / f"{side}.questions.jsonl", folder / f"{side}.jsonl"
    wanted = Settings(
        students=amount.students, theories=KINDS, each=amount.each, outside=amount.each, held_out=held_out,
        each_of={COURSE: 2 * amount.each}, follow_ups=0.25, english=0.45, lengths=LENGTHS, repeats=REPEATS, shortest=1,
        longest=80,
    )  # fmt: skip
    questions.run(wanted, [COURSES / name for name in TAUGHT], asked, tell)
    expert = TrajectorySettings(slips=0.0 if held_out else SLIPS, kinds=FIRST, varied=False)

    def classrooms(found: Mapping[str, Course], settings: TrajectorySettings, _: Path) -> Mapping[str, Classroom]:
        return rooms.rooms(found, settings, folder / "folds")  # both sides take their hints from the same heads

    trajectories.run(expert, asked, told, tell, classrooms)
    return list(records.read(told))


def main() -> None:
    """Make both sides."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, default=Amount().students)
    parser.add_argument("--each", type=int, default=Amount().each)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with shown() as tell:
        for held_out, amount in ((False, Amount(given.students, given.each)), (True, HELD_OUT)):
            print(f"{len(make(given.folder, amount, held_out, tell))} lessons, held out: {held_out}", flush=True)


if __name__ == "__main__":
    main()
