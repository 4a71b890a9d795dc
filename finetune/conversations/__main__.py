"""Ask a writer by files, a round at a time; run it again when the responses are there.

    python -m finetune.conversations questions.jsonl --out trajectories.jsonl

It writes `trajectories.jsonl.rounds/1.requests.jsonl` in OpenAI's batch form, for any batch service or
`vllm run-batch`; put the responses beside it as `1.responses.jsonl`. The last round leaves `trajectories.jsonl`.
"""

import argparse
import json
import sys
from pathlib import Path

from finetune import manifest, sections
from finetune.conversations.settings import TrajectorySettings
from finetune.conversations.step import run
from finetune.telling import shown
from scribe.errors import ScribeError


def main() -> None:
    """Go as far as the responses reach, and print what was counted or what to do next."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, help="JSON lines: id, course, student, theory, question, follows, slip")
    parser.add_argument("--out", type=Path, required=True, help="the trajectories; requests and responses beside it")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change one setting")
    given = parser.parse_args()
    changes = ['source="files"', f"questions={json.dumps(str(given.questions))}", *given.set]
    try:
        settings = sections.read(TrajectorySettings, "trajectories", None, changes)
        with shown() as tell:
            run(settings, given.out, tell)
    except (ScribeError, OSError) as error:
        sys.exit(str(error))
    made = manifest.read(given.out)
    print(json.dumps(made.counts if made else {}, indent=2))


if __name__ == "__main__":
    main()
