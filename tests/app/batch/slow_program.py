"""`scribe` with a model that takes its time, as a process that can be killed: python -m tests.app.batch.slow_program …

SLOW_DELAY: seconds an answer takes. SLOW_ASKED: the file that notes each question as it is answered.
"""

import os
import sys
from pathlib import Path

from app.cli import main
from tests.app.batch.scripted_reader import MakeMortal


def environment(folder: Path, delay: float) -> dict[str, str]:
    """In which environment it is run, with all that it reads and writes in the folder."""
    ours = {
        "SCRIBE_COURSES_FOLDER": str(folder / "courses"),
        "SCRIBE_CACHE": str(folder / "cache"),
        "SLOW_DELAY": str(delay),
        "SLOW_ASKED": str(folder / "asked"),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    return {**os.environ, **ours}


if __name__ == "__main__":
    asked = Path(os.environ["SLOW_ASKED"])
    # Of the two doubles' makers, the one that can be sent to a worker.
    sys.exit(main(sys.argv[1:], MakeMortal(asked, asked.parent, deaths=0, delay=float(os.environ["SLOW_DELAY"]))))
