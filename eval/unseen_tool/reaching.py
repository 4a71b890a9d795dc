"""Counts of who reached for the tool, with Wilson's intervals."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.asking import Asking, Written, read
from eval.significance import Share, compare_shares, count_share
from eval.table import Cell, Table
from scribe.errors import BackendError, UsageError
from scribe.trajectory import Stop, Trajectory
from tools.lexicon import WEB

TOOL = WEB
NEEDING = Path(__file__).parent / "questions.jsonl"
OTHERS = Path(__file__).parent.parent / "student_questions.jsonl"

Told = Callable[[int, int], None]
Answered = tuple[Written, Trajectory | None]
"""A question and its ended trajectory; None if the model failed us, which counts for neither side."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Of one set of questions: which had a call of the tool, which began with it, and which were answered."""

    name: str
    reached: Share
    first: Share
    answered: Share


def questions(path: Path) -> list[Written]:
    """The questions of a file. Raises UsageError naming file and line."""
    try:
        found = read(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    if not found:
        raise UsageError(f"{path} holds no question")
    return found


def ask(asking: Asking, written: Sequence[Written], told: Told = lambda done, total: None) -> list[Answered]:
    """Every question, asked once."""
    rows: list[Answered] = []
    for done, one in enumerate(written, start=1):
        try:
            rows.append((one, asking.answer(one)))
        except BackendError:
            rows.append((one, None))
        told(done, len(written))
    return rows


def reach(name: str, rows: Sequence[Answered]) -> Reach:
    """The counts over these questions; a call counts even if its arguments were refused."""
    done = [trajectory for _, trajectory in rows]
    return Reach(
        name,
        count_share(None if one is None else TOOL in _called(one) for one in done),
        count_share(None if one is None else _first_tool(one) == TOOL for one in done),
        count_share(None if one is None else one.stop is Stop.ANSWERED for one in done),
    )


def table(found: Sequence[Reach]) -> Table:
    """One row for each set; shares with their 95 % intervals."""
    shares = (f"{TOOL} called", "called first", "answered")
    head = ("questions", "n", "failed", *(name for each in shares for name in (each, f"95 % of {each}")))
    rows = [_cells(one) for one in found]
    return Table("unseen_tool", "A tool that was in no training data", head, rows, shares, _note(found))


def _cells(one: Reach) -> list[Cell]:
    shares = (one.reached, one.first, one.answered)
    return [one.name, one.reached.of, one.reached.missing, *(cell for each in shares for cell in _share(each))]


def _share(one: Share) -> tuple[Cell, Cell]:
    interval = one.interval()
    return (one.value if one.of else None), f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"


def _note(found: Sequence[Reach]) -> str:
    intervals = "Intervals are Wilson's; questions at which the model failed us are left out and counted."
    if len(found) != 2 or not all(one.reached.of for one in found):
        return intervals
    alike = compare_shares(found[0].reached, found[1].reached).p
    return f"{intervals} Called on one set as often as on the other: p = {alike:.2g} (Fisher's exact test)."


def _called(trajectory: Trajectory) -> set[str]:
    return {call.name for act in trajectory.acts for call in act.calls}


def _first_tool(done: Trajectory) -> str:
    """The name of the first tool called, or an empty string."""
    return done.acts[0].calls[0].name if done.acts else ""
