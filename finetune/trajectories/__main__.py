"""Answer a file of questions, as the pipeline's step does; run it again to go on after a kill.

    python -m finetune.trajectories questions.jsonl --out trajectories.jsonl
    python -m finetune.trajectories questions.jsonl --out trajectories.jsonl \\
        --set teacher=api --set model=gpt-4o --set base_url=http://127.0.0.1:8080/v1
"""

import argparse
import json
import sys
from pathlib import Path

from finetune import manifest, sections
from finetune.telling import shown
from finetune.trajectories.run import run
from finetune.trajectories.settings import TrajectorySettings
from scribe.errors import ScribeError


def main() -> None:
    """Run the step and print what it counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--config", type=Path, help="a pipeline's TOML file, whose section [trajectories] counts")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change one setting")
    given = parser.parse_args()
    try:
        settings = sections.read(TrajectorySettings, "trajectories", given.config, given.set)
        with shown() as tell:
            run(settings, given.questions, given.out, tell)
    except (ScribeError, OSError) as error:
        sys.exit(str(error))
    made = manifest.read(given.out)
    print(json.dumps(made.counts if made else {}, indent=2))


if __name__ == "__main__":
    main()
