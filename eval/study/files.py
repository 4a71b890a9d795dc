"""The CSV files of a study: their columns, and reading them back with file and row in every complaint."""

import csv
from dataclasses import dataclass
from pathlib import Path

from scribe.plumbing.errors import UsageError

PLACE = ("participant", "finished", "conversation", "model", "report")
RATINGS = ("ratings", (*PLACE, "criterion", "rating"))
CHOICES = ("choices", (*PLACE, "reason"))
CONVERSATIONS = ("conversations", (*PLACE, "number", "question", "answer", "stop", "seconds"))
MODELS = ("models", ("model",))
"""Name and columns of each file. finished: 1 or 0; conversation: A, B or C, by when it came."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What one participant says of one conversation by one criterion, 1 to 5."""

    participant: str
    conversation: str
    model: str
    criterion: str
    value: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Which conversation a participant liked best."""

    participant: str
    conversation: str
    model: str


@dataclass(frozen=True, slots=True)
class StudyData:
    """What participants said who finished. models: in the study's order; unfinished: participants left out."""

    models: tuple[str, ...]
    criteria: tuple[str, ...]
    ratings: tuple[Rating, ...]
    choices: tuple[Choice, ...]
    unfinished: int

    @property
    def participants(self) -> tuple[str, ...]:
        """Who finished."""
        return tuple(each.participant for each in self.choices)

    def values(self, criterion: str) -> list[list[int]]:
        """The ratings by one criterion of each model, each model's in the order of participants."""
        found = {(each.model, each.participant): each.value for each in self.ratings if each.criterion == criterion}
        return [[found[model, participant] for participant in self.participants] for model in self.models]


def read_study_data(folder: Path) -> StudyData:
    """What `scribe study export` wrote. Raises UsageError naming file and row."""
    models = tuple(row["model"] for row in _read(folder, MODELS))
    rows = _read(folder, RATINGS)
    ratings = tuple(_read_rating(row, f"{folder / 'ratings.csv'}:{n}") for n, row in enumerate(rows, 2) if _done(row))
    choices = tuple(
        Choice(row["participant"], row["conversation"], row["model"]) for row in _read(folder, CHOICES) if _done(row)
    )
    criteria = tuple(dict.fromkeys(each.criterion for each in ratings))
    unfinished = {row["participant"] for row in [*rows, *_read(folder, CONVERSATIONS)] if not _done(row)}
    wanted = {(who.participant, model, criterion) for who in choices for model in models for criterion in criteria}
    there = [(each.participant, each.model, each.criterion) for each in ratings]
    if len({who.participant for who in choices}) < len(choices) or sorted(there) != sorted(wanted):
        raise UsageError(f"{folder}: not every participant who finished has one rating of each model by each criterion")
    return StudyData(models, criteria, ratings, choices, len(unfinished))


def _done(row: dict[str, str]) -> bool:
    return row["finished"] == "1"


def _read_rating(row: dict[str, str], where: str) -> Rating:
    if row["rating"] not in ("1", "2", "3", "4", "5"):
        raise UsageError(f"{where}: a rating of {row['rating']!r}; valid are 1 to 5")
    return Rating(row["participant"], row["conversation"], row["model"], row["criterion"], int(row["rating"]))


def _read(folder: Path, file: tuple[str, tuple[str, ...]]) -> list[dict[str, str]]:
    name, head = file
    path = folder / f"{name}.csv"
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            read = csv.DictReader(lines, strict=True)
            rows = list(read)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{path} cannot be read ({error}); `scribe study export` writes it") from error
    if tuple(read.fieldnames or ()) != head:
        raise UsageError(f"{path} has the columns {read.fieldnames}; `scribe study export` writes {', '.join(head)}")
    for number, row in enumerate(rows, 2):
        if None in row or None in row.values():
            raise UsageError(f"{path}:{number}: not as many cells as columns")
    return rows
