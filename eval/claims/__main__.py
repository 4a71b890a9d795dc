"""Run the check on labelled statements: ``python -m eval.claims [--part developing|unseen]``."""

import argparse
import sys
from collections.abc import Iterable
from functools import cache

from data.bundle import find
from data.catalogue import load_catalogue
from eval.claims.statements import PARTS, Statement, read_cases, read_statements
from eval.significance import count_share
from scribe.grounding import Grounding
from tools import lexicon


def main(arguments: list[str] | None = None) -> int:
    """Print the table; with --show, also each statement on which the check is wrong."""
    parser = argparse.ArgumentParser(prog="python -m eval.claims", description=__doc__)
    parser.add_argument("--part", choices=PARTS, default="developing", help="which statements (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="print each statement that is judged wrongly")
    options = parser.parse_args(arguments)
    judged = list(judge(read_statements(options.part)))
    for line in tabulate(judged):
        print(line)
    if options.show:
        for statement, complaints in judged:
            if bool(complaints) == statement.true:
                print(f"{statement.case} {statement.true} {statement.kind}: {statement.text} {list(complaints)}")
    return 0


def judge(statements: Iterable[Statement]) -> Iterable[tuple[Statement, tuple[str, ...]]]:
    """Each statement with what the check says against it."""
    cases = read_cases()

    @cache
    def check_of(course: str) -> Grounding:
        return Grounding(lexicon.make(find(course), load_catalogue()))

    for statement in statements:
        case = cases[statement.case]
        yield statement, tuple(check_of(case.task.course)(case, statement.text))


def tabulate(judged: Iterable[tuple[Statement, tuple[str, ...]]]) -> list[str]:
    """Lines with the share refused of true and of false statements: over all, by language and by kind."""
    rows: dict[tuple[bool, str], list[bool]] = {}
    for statement, complaints in judged:
        for group in ("all", statement.language, statement.kind):
            rows.setdefault((not statement.true, group), []).append(bool(complaints))
    found = []
    for (false, group), refused in sorted(rows.items()):
        told = count_share(refused)
        span = told.interval()
        found.append(
            f"{'false' if false else 'true'} {group:12} refused {sum(refused):3} of {len(refused):3}"
            f" = {100 * told.value:5.1f} % [{100 * span.low:.1f}, {100 * span.high:.1f}]"
        )
    return found


if __name__ == "__main__":
    sys.exit(main())
