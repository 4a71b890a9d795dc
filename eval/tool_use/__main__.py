"""Print the tables of one or more runs.

python -m eval.tool_use base.jsonl tuned.jsonl --questions eval/student_questions.jsonl
"""

import argparse
from pathlib import Path

from eval.tool_use import answered, asked, tables
from eval.tool_use.grounded import Grounded


def main() -> None:
    """Read the answers, print what can be counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN.jsonl")
    parser.add_argument("--questions", type=Path, help="for categories and acceptable first tools")
    given = parser.parse_args()
    questions = asked.read(given.questions) if given.questions else {}
    runs = {path.stem: answered.read(path, questions) for path in given.runs}
    print("\n\n".join(table.markdown() for table in tables.every(runs, Grounded())))


if __name__ == "__main__":
    main()
