"""Ask a writer by files, a round at a time; run it again when the responses are there.

    python -m finetune.conversations questions.jsonl --out trajectories.jsonl

It writes `trajectories.jsonl.rounds/1.requests.jsonl` in OpenAI's batch form, for any batch service or
`vllm run-batch`; put the responses beside it as `1.responses.jsonl`. The last round leaves `trajectories.jsonl`.
"""

import argparse
import json
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from finetune.conversations.step import make_step
from finetune.settings import TrajectorySettings, parse_section
from scribe.errors import ScribeError, UsageError
from scribe.plumbing.manifest import read_step
from scribe.plumbing.progress import show_progress


def main() -> None:
    """Go as far as the responses reach, and print what was counted or what to do next."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, help="JSON lines: id, course, student, theory, question, follows, slip")
    parser.add_argument("--out", type=Path, required=True, help="the trajectories; requests and responses beside it")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change one setting")
    given = parser.parse_args()
    try:
        table = {"source": "files", "questions": str(given.questions), **parse_changes(given.set)}
        step = make_step(parse_section(TrajectorySettings, table, "trajectories"), given.out)
        with show_progress() as on_progress:
            step.run(on_progress)
    except (ScribeError, OSError) as error:
        sys.exit(str(error))
    made = read_step(given.out)
    print(json.dumps(made.counts if made else {}, indent=2))


def parse_changes(changes: Iterable[str]) -> dict[str, Any]:
    """Settings from arguments such as `model="gpt"`; what TOML cannot read is text. Raises UsageError for others."""
    table: dict[str, Any] = {}
    for change in changes:
        key, found, value = (part.strip() for part in change.partition("="))
        if not found:
            raise UsageError(f"{change!r} changes nothing; write KEY=VALUE")
        try:
            table[key] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            table[key] = value
    return table


if __name__ == "__main__":
    main()
