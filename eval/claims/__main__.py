"""Run the check on labelled statements: ``python -m eval.claims [--part developing|unseen]``."""

import argparse
import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from data.bundle import find
from data.catalogue import load_catalogue
from eval.significance import count_share
from scribe.grounding import Grounding
from scribe.trajectory import Act, Call, Observation, Task, Trajectory
from tools.conversation import make_lexicon

FOLDER = Path(__file__).parent
PARTS = ("developing", "unseen")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence about one case, whether it is true, and what kind of claim it makes."""

    case: str
    true: bool
    kind: str
    text: str
    language: str


Complaints = tuple[str, ...]


def main(arguments: list[str] | None = None) -> int:
    """Print the table; with --show, also each statement on which the check is wrong."""
    parser = argparse.ArgumentParser(prog="python -m eval.claims", description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="developing", help="which statements (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="print each statement that is judged wrongly")
    options = parser.parse_args(arguments)
    checked = list(check_statements(read_statements(options.part)))
    print("\n".join(tabulate(checked)))
    for statement, complaints in checked if options.show else ():
        if bool(complaints) == statement.true:
            print(f"{statement.case} {statement.true} {statement.kind}: {statement.text} {list(complaints)}")
    return 0


def read_statements(part: str) -> list[Statement]:
    """Read the statements of a part, in the order of the file, each with the language of its case."""
    cases = read_cases()
    lines = FOLDER.joinpath(f"{part}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Statement(**row, language=cases[row["case"]].task.language) for row in map(json.loads, lines)]


def read_cases() -> dict[str, Trajectory]:
    """Read each case by its id, as a conversation in which the tools have been called and nothing was said yet."""
    with gzip.open(FOLDER / "cases.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return {row["id"]: _to_trajectory(row) for row in rows}


def _to_trajectory(row: dict[str, Any]) -> Trajectory:
    task = Task(
        row["course"], row["student"], "", row["report"], row["about"], language=row["language"], theory=row["theory"]
    )
    calls = tuple(Call(each["name"], each["arguments"]) for each in row["calls"])
    observations = tuple(Observation(True, each["result"]) for each in row["calls"])
    return Trajectory(task).then(Act("", calls, observations))


def check_statements(statements: Iterable[Statement]) -> Iterator[tuple[Statement, Complaints]]:
    """Yield each statement with what the check says against it."""
    cases = read_cases()

    @cache
    def make_check(course: str) -> Grounding:
        return Grounding(make_lexicon(find(course), load_catalogue()))

    for statement in statements:
        case = cases[statement.case]
        yield statement, tuple(make_check(case.task.course)(case, statement.text))


def tabulate(checked: Iterable[tuple[Statement, Complaints]]) -> list[str]:
    """Format the share refused of true and of false statements: over all, by language and by kind."""
    rows: dict[tuple[bool, str], list[bool]] = {}
    for statement, complaints in checked:
        for group in ("all", statement.language, statement.kind):
            rows.setdefault((not statement.true, group), []).append(bool(complaints))
    lines = []
    for (is_false, group), refused in sorted(rows.items()):
        share = count_share(refused)
        interval = share.interval()
        lines.append(
            f"{'false' if is_false else 'true'} {group:12} refused {share.yes:3} of {share.of:3}"
            f" = {100 * share.value:5.1f} % [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
        )
    return lines


if __name__ == "__main__":
    sys.exit(main())
