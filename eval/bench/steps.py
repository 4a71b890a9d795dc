"""Figure 4: what a step costs besides the model, one question at a time, with the model that comes with Scribe.

    python -m eval.bench.steps

No contender: the loop is ours. Twice "besides the model", since both are asked for. *The loop* is what stands around
`Backend.complete`: the prompt's text, reading the turn, tools, the check of the answer, the record. *All but
evaluating* is the step without the seconds that llama.cpp computed: the loop, and in the backend the prompt's
tokens, the grammar, drawing, and handing over between threads. A step searches if the embedder was asked. Seconds are
the clock's, so other programs on the machine count against us. The first questions are not counted: they load the
embedder, compile the grammar and read the shared prompt.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from data.bundle import find
from data.pretrained.shipped import open_shipped_gguf
from eval.asking import Written
from eval.bench import machine
from eval.bench.apart import tell
from eval.bench.recorded import questions
from eval.bench.stepped import GROUPS, Found
from eval.bench.stopwatch import Clocked, Step, Stopwatch
from eval.bench.table import Figure
from scribe.backends.llama import LlamaBackend

WARM = 4
"""Questions before the first that counts."""


def measured(asked: Sequence[Written], model: Clocked, tell: Callable[[str], None], warm: int = WARM) -> Found:
    """The steps of all questions, which are of one course, but the first few; `model` is closed."""
    watch = Stopwatch(model, find(asked[0].course))
    steps: list[Step] = []
    try:
        for number, written in enumerate(asked):
            tell(f"question {number + 1} of {len(asked)}")
            taken = list(watch.steps(written))
            if number >= warm:
                steps += taken
    finally:
        model.close()
    return Found(tuple(steps))


def add_options(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--students", type=int, default=16, metavar="N")
    parser.add_argument("--each", type=int, default=4, metavar="N", help="questions of each student (default: 4)")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of the processor (default: 2)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")


def run(given: argparse.Namespace) -> Figure:
    """Answer the questions, one after the other."""
    ours = LlamaBackend(open_shipped_gguf(), threads=given.threads, parallel=1)
    found = measured(questions(given.students, given.each), ours, tell)
    title = f"Milliseconds of a step besides the model, {given.students * given.each} questions, one at a time"
    head = ["median (95 of 100 are below)", *GROUPS]
    note = "* done once more to be clocked."
    return Figure(title, machine.line(open_shipped_gguf(), given.threads), head, found.rows(), found.numbers(), [note])


def main() -> None:
    """Print the figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    given = parser.parse_args()
    run(given).show(given.json)


if __name__ == "__main__":
    main()
