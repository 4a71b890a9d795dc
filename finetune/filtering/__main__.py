"""Keep the trajectories that are good enough to learn from, as the pipeline's step does.

python -m finetune.filtering trajectories.jsonl --out kept.jsonl
python -m finetune.filtering trajectories.jsonl --out kept.jsonl --set judgements=judgements.jsonl
"""

import argparse
import json
import sys
from pathlib import Path

from data.pretrained.conversion import open_base_folder
from finetune import manifest, sections
from finetune.filtering.run import run
from finetune.filtering.settings import FilterSettings
from finetune.telling import shown
from scribe.errors import ScribeError


def main() -> None:
    """Run the step and print what it counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trajectories", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--base", type=Path, help="model folder whose tokenizer counts; that of SmolLM2 if not given")
    parser.add_argument("--config", type=Path, help="a pipeline's TOML file, whose section [filter] counts")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change one setting")
    given = parser.parse_args()
    try:
        settings = sections.read(FilterSettings, "filter", given.config, given.set)
        with shown() as tell:
            run(settings, given.trajectories, given.base or open_base_folder(), given.out, tell)
    except (ScribeError, OSError) as error:
        sys.exit(str(error))
    made = manifest.read(given.out)
    print(json.dumps(made.counts if made else {}, indent=2))


if __name__ == "__main__":
    main()
