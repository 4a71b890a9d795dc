"""Print the tables of one or more runs.

python -m eval.tool_use base.jsonl tuned.jsonl --questions eval/student_questions.jsonl
"""

import argparse
from pathlib import Path

from eval.tool_use.answers import read_answers, read_expectations
from eval.tool_use.checks import GroundednessCheck
from eval.tool_use.tables import make_tables


def main() -> None:
    """Read the answers, print what can be counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN.jsonl")
    parser.add_argument("--questions", type=Path, help="for categories and acceptable first tools")
    given = parser.parse_args()
    expectations = read_expectations(given.questions) if given.questions else {}
    check = GroundednessCheck()
    runs = {path.stem: read_answers(path, expectations, check.find_unsupported) for path in given.runs}
    print("\n\n".join(table.markdown() for table in make_tables(runs)))


if __name__ == "__main__":
    main()
