"""The frameworks' table alone: `python -m eval.bench.frameworks --frameworks-python PATH`."""

import argparse
import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

from data.pretrained.shipped import open_shipped_gguf
from eval.bench import recorded
from eval.bench.frameworks.contended import HEAD
from eval.bench.frameworks.contending import contend


def main() -> None:
    """Record, let each contend, print a row as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frameworks-python", type=Path, required=True)
    parser.add_argument("--model", type=Path, help="a GGUF file; the model that comes with Scribe if not given")
    parser.add_argument("--students", type=int, default=16)
    parser.add_argument("--each", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write the same numbers there, with the answers")
    given = parser.parse_args()
    began = time.perf_counter()
    record = recorded.record(recorded.questions(given.students, given.each), given.threads)
    print(f"recorded in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    print(HEAD)
    done = []
    for of in contend(record, given.model or open_shipped_gguf(), given.frameworks_python, given.threads):
        print(of.row, flush=True)
        done.append(asdict(of))
    if given.json:
        given.json.write_text(json.dumps(done, indent=1, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
