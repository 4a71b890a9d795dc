"""The step from a file of trajectories to rows of ids and parts.

python -m finetune.lora.examples trajectories.jsonl --base MODEL --out examples.parquet
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge

from data.bundle import COURSES, find
from finetune import manifest
from finetune.conversations.wordings import WORDINGS, Wording, read_wordings
from finetune.lora import store
from finetune.lora.rows import FIRST, LATER, QUOTED, Row, row
from finetune.manifest import Tell, quiet
from finetune.telling import shown
from scribe import records
from scribe.backends.hf import chat_tokenizer
from scribe.decoding.chat import ChatTokenizer
from scribe.errors import RecordError, ScribeError, UsageError
from tools.conversation.task import describe_course
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

STEP = "examples"
TOKENIZER = "tokenizer.json"

Listing = Callable[[str], str]
"""From a course's id to its tools as the prompt lists them."""


@dataclass(frozen=True, slots=True)
class ExampleSettings:
    """longest: ids a row may have; longer ones are dropped, never cut. courses: where bundles lie (empty: ours).

    by_heart: leave rules and tools out of the prompts, so that the model learns them by heart.
    wordings: learn the first turn of `finetune.conversations.wordings` as well.
    """

    longest: Annotated[int, Ge(16)] = 4096
    courses: str = ""
    by_heart: bool = False
    wordings: bool = False


def inputs(settings: ExampleSettings, trajectories: Path, base: Path) -> dict[str, Path]:
    """What the step reads, by the names that its manifest gives them."""
    worded = {"wordings": WORDINGS} if settings.wordings else {}
    return {"trajectories": trajectories, "tokenizer": base / TOKENIZER} | worded


def run(settings: ExampleSettings, trajectories: Path, base: Path, out: Path, tell: Tell = quiet) -> None:
    """Write the rows of all trajectories to `out`, a parquet file, in their order, unless it is there already.

    base: a model folder, of which the tokenizer counts. It takes seconds, so a killed run begins anew. Raises
    RecordError naming file and line, ModelFileError for a tokenizer without a chat format that is known, and UsageError
    if no row is left.
    """
    if manifest.is_done(out, STEP, inputs(settings, trajectories, base), settings):
        return
    began = time.monotonic()
    chat = chat_tokenizer(base)
    root = Path(settings.courses) if settings.courses else COURSES
    tools = cache(lambda course: "" if settings.by_heart else listing(course, root))
    rows, dropped = collect(trajectories, tools, chat, settings.longest, tell)
    if not rows:
        raise UsageError(f"{trajectories} gives no row to train on: {dict(dropped) or 'it is empty'}")
    if settings.wordings:
        rows += first_turns(read_wordings(), tools, chat, settings.longest, root)
    store.write(out, rows)
    counts = count(rows) | {"dropped": dict(dropped)}
    manifest.finish(out, STEP, inputs(settings, trajectories, base), settings, counts, time.monotonic() - began)


def collect(
    trajectories: Path, tools: Listing, chat: ChatTokenizer, longest: int, tell: Tell = quiet
) -> tuple[list[Row], Counter[str]]:
    """The rows of a file of records, and how many records made none, by reason. Raises RecordError for a second id."""
    rows: list[Row] = []
    dropped: Counter[str] = Counter()
    with trajectories.open("rb") as file:
        total = sum(1 for line in file if line.strip())
    seen: set[str] = set()
    for number, record in enumerate(records.read(trajectories), start=1):
        if record.id in seen:
            raise RecordError(f"{trajectories}: record {number} has the id {record.id}, which one before it has")
        seen.add(record.id)
        made = row(record.id, record.trajectory, tools(record.task.course), chat, longest)
        if isinstance(made, Row):
            rows.append(made)
        else:
            dropped[made] += 1
        tell(STEP, number, total)
    return rows, dropped


def first_turns(
    wordings: Iterable[Wording], tools: Listing, chat: ChatTokenizer, longest: int, root: Path = COURSES
) -> list[Row]:
    """The rows of question, reasoning and call, without what would follow; longer ones are left out."""
    about = cache(lambda course: describe_course(find(course, root)))
    made = (
        row(each.id, each.as_trajectory(about(each.course)), tools(each.course), chat, longest) for each in wordings
    )
    return [_until_call(each) for each in made if isinstance(each, Row)]


def _until_call(whole: Row) -> Row:
    end = int(np.flatnonzero(np.isin(whole.parts, (FIRST, FIRST | QUOTED)))[-1]) + 1
    return replace(whole, ids=whole.ids[:end], parts=whole.parts[:end])


def count(rows: list[Row]) -> dict[str, Any]:
    """How many rows, ids and labels of each stage there are, and the longest row."""
    return {
        "rows": len(rows),
        "ids": sum(len(row.ids) for row in rows),
        "labels_first": sum(int(np.isin(row.parts, (FIRST, FIRST | QUOTED)).sum()) for row in rows),
        "labels_later": sum(int(np.isin(row.parts, (LATER, LATER | QUOTED)).sum()) for row in rows),
        "longest": max(len(row.ids) for row in rows),
    }


def listing(course: str, root: Path = COURSES) -> str:
    """How a course's prompts list the tools; all its students have the same. Raises BundleError."""
    found = find(course, root)
    return make_toolbox(found, next(iter(found.students)), VectorStore(MiniLM())).listing


def main() -> None:
    """Make the rows of one file, and print what was counted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trajectories", type=Path)
    parser.add_argument("--base", type=Path, required=True, help="model folder whose tokenizer counts")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--longest", type=int, default=ExampleSettings().longest, help="ids a row may have")
    parser.add_argument("--courses", default="", help="where the bundles lie")
    parser.add_argument("--by-heart", action="store_true", help="leave rules and tools out of the prompts")
    given = parser.parse_args()
    try:
        with shown() as tell:
            settings = ExampleSettings(given.longest, given.courses, given.by_heart)
            run(settings, given.trajectories, given.base, given.out, tell)
    except (ScribeError, OSError) as error:
        parser.exit(2, f"{error}\n")
    made = manifest.read(given.out)
    print(json.dumps(made.counts if made else {}, indent=2))


if __name__ == "__main__":
    main()
