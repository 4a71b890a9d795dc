"""Merge, export and prove in one command; what is done already is not done again.

python -m finetune.export BASE ADAPTER --trajectories trajectories.jsonl --out runs/x/model --lora
"""

import argparse
from pathlib import Path
from typing import get_args

from finetune.export.merging import DTYPES
from finetune.export.quantizing import Quantization
from finetune.export.running import Export, run
from scribe.errors import ScribeError


def main() -> None:
    """Run the step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", type=Path)
    parser.add_argument("adapter", type=Path)
    parser.add_argument("--trajectories", type=Path, required=True, help="what parity is measured on")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--quantizations", nargs="+", choices=get_args(Quantization), default=Export().quantizations)
    parser.add_argument("--dtype", choices=DTYPES, default="bf16")
    parser.add_argument("--lora", action="store_true", help="the adapter as GGUF too")
    parser.add_argument("--rows", type=int, default=Export().parity_rows, help="trajectories to prove it on")
    given = parser.parse_args()
    settings = Export(tuple(given.quantizations), given.dtype, given.lora, given.rows)
    try:
        run(settings, given.base, given.adapter, given.trajectories, given.out, _said)
    except (ScribeError, OSError) as error:
        parser.error(str(error))
    print((given.out / "parity.md").read_text(encoding="utf-8"))


def _said(step: str, done: int, total: int) -> None:
    print(f"\r{step} {done}/{total}", end="\n" if done == total else "", flush=True)


if __name__ == "__main__":
    main()
