"""Fuzz one reader with atheris, which the tests do not need: `python -m tests.fuzz TARGET -max_total_time=300`.

Whatever comes after the target goes to libFuzzer. What crashes it is written to a file `crash-…` where this is run.
"""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["scribe", "data", "eval", "app", "tools"]):
    from tests.fuzz.pieces import PIECES, list_failures
    from tests.fuzz.targets import TARGETS


def main() -> None:
    """Fuzz until libFuzzer ends."""
    target = sys.argv[1] if len(sys.argv) > 1 else ""
    if target not in TARGETS:
        sys.exit(f"usage: python -m tests.fuzz {{{','.join(TARGETS)}}} [libFuzzer's options]")
    check = TARGETS[target]
    seeds = Path(tempfile.mkdtemp(prefix="scribe-seeds-"))
    for number, text in enumerate([*PIECES, *list_failures(target)]):
        (seeds / str(number)).write_bytes(text.encode("utf-8", "replace"))
    options = [sys.argv[0], str(seeds), "-max_len=600", *sys.argv[2:]]
    atheris.Setup(options, lambda data: check(data.decode("utf-8", "replace")))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
