"""Ask a writer by files, a round at a time; run it again when the responses are there.

    python -m finetune.conversations questions.jsonl --out trajectories.jsonl

It writes `trajectories.jsonl.rounds/1.requests.jsonl` in OpenAI's batch form, for any batch service or
`vllm run-batch`; put the responses beside it as `1.responses.jsonl`. The last round leaves `trajectories.jsonl`.
More can be set where `[trajectories]` of a pipeline says `source = "files"`.
"""

import argparse
import json
import sys
from pathlib import Path

from finetune.conversations.step import make_step
from finetune.settings import TrajectorySettings
from scribe.errors import ScribeError
from scribe.plumbing.manifest import read_step
from scribe.plumbing.progress import show_progress


def main() -> None:
    """Go as far as the responses reach, and print what was counted or what to do next."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", type=Path, help="JSON lines: id, course, student, theory, question, follows, slip")
    parser.add_argument("--out", type=Path, required=True, help="the trajectories; requests and responses beside it")
    parser.add_argument("--model", default="writer", help="what requests call the writer")
    given = parser.parse_args()
    try:
        settings = TrajectorySettings("files", questions=str(given.questions), model=given.model)
        step = make_step(settings, given.out)
        with show_progress() as on_progress:
            step.run(on_progress)
    except (ScribeError, OSError) as error:
        sys.exit(str(error))
    made = read_step(given.out)
    print(json.dumps(made.counts if made else {}, indent=2))


if __name__ == "__main__":
    main()
