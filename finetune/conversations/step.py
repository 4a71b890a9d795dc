"""The pipeline's step that ends with a file of trajectories.

From a dataset it copies. From a writer it goes in rounds: beside `OUT` lies the folder `OUT.rounds` with
`1.requests.jsonl`; whoever runs them puts the responses there as `1.responses.jsonl` (any name that ends in
`.responses.jsonl` will do), and the same command writes the next round, until every conversation has ended.
"""

import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from data.catalogue import load_catalogue
from finetune import bundles, manifest
from finetune.conversations.batch import read_responses, write_requests
from finetune.conversations.dataset import PLAIN, read_dataset, with_plain_answers
from finetune.conversations.question import Question, read_questions
from finetune.conversations.rounds import Classroom, Round, advance
from finetune.conversations.settings import TrajectorySettings
from finetune.manifest import Tell, quiet
from scribe import records
from scribe.agent import Limits
from scribe.errors import UsageError
from scribe.grounding import Grounding
from scribe.records import Record
from scribe.trajectory import Stop
from tools.conversation.lexicon import make_lexicon
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

STEP = "trajectories"
RESPONSES = ".responses.jsonl"
REQUESTS = ".requests.jsonl"


def inputs(settings: TrajectorySettings) -> dict[str, Path]:
    """What the step reads, by the names that its manifest gives them. Raises UsageError if no file is named."""
    if settings.source == "dataset":
        return {"dataset": settings.dataset_file} | ({"plain": PLAIN} if settings.plain else {})
    if not settings.questions:
        raise UsageError('[trajectories] source = "files" needs questions, a file of JSON lines to ask the writer')
    return {"questions": Path(settings.questions).expanduser()}


def run(settings: TrajectorySettings, out: Path, tell: Tell = quiet) -> None:
    """Write the trajectories that ended answered, in the questions' order; nothing where that is done.

    Raises RecordError naming file and line; UsageError, with what to do, while the writer has open requests.
    """
    given = inputs(settings)
    if manifest.is_done(out, STEP, given, settings):
        return
    began = time.monotonic()
    if settings.source == "dataset":
        found = read_dataset(settings.dataset_file)
        kept = list(with_plain_answers(found) if settings.plain else found)
    else:
        kept = _collect(settings, read_questions(given["questions"]), find_rounds(out), tell)
    records.write(out, kept)
    counts = {"trajectories": len(kept), "calls": sum(len(each.trajectory.acts) for each in kept)}
    manifest.finish(out, STEP, given, settings, counts, time.monotonic() - began)


def find_rounds(out: Path) -> Path:
    """The folder of requests and responses beside an output."""
    return out.with_name(f"{out.name}.rounds")


def _collect(settings: TrajectorySettings, questions: Sequence[Question], rounds: Path, tell: Tell) -> list[Record]:
    """The records, if the writer has said everything. Raises UsageError, the next requests written, if not."""
    if not questions:
        raise UsageError(f"{settings.questions} holds no questions")
    turns: dict[str, str] = {}
    for path in sorted(rounds.glob(f"*{RESPONSES}")):
        turns |= read_responses(path)
    found = advance(questions, turns, _open_classrooms(settings, questions), Limits(settings.steps, settings.faults))
    tell(STEP, len(found.ended), len(questions))
    if found.requests:
        raise UsageError(_ask(settings, found, questions, rounds))
    ended = ((one, found.ended[one.id]) for one in questions if one.id in found.ended)
    info = {"backend": "recorded", "name": settings.model}
    return [Record.of(done, one.id, info) for one, done in ended if done.stop is Stop.ANSWERED]


def _ask(settings: TrajectorySettings, found: Round, questions: Sequence[Question], rounds: Path) -> str:
    """Write the next requests, and say what to do with them."""
    number = 1 + len(list(rounds.glob(f"*{RESPONSES}")))
    path = rounds / f"{number}{REQUESTS}"
    body = {"model": settings.model, "temperature": settings.temperature, "max_tokens": settings.max_tokens}
    write_requests(path, found.requests, body)
    return (
        f"{len(found.ended)} of {len(questions)} conversations have ended; {len(found.requests)} requests are in "
        f"{path}: run them with a batch service (or `vllm run-batch -i {path.name} -o {number}{RESPONSES} --model …`), "
        f"put the responses there as {number}{RESPONSES}, and run the same command again"
    )


def _open_classrooms(settings: TrajectorySettings, questions: Sequence[Question]) -> Mapping[str, Classroom]:
    vault = VectorStore(MiniLM())
    opened = {}
    for name in dict.fromkeys(one.course for one in questions):
        course = bundles.course(name, settings.courses_folder)
        tools = cache(lambda student, course=course: make_toolbox(course, student, vault))
        opened[name] = Classroom(course, tools, Grounding(make_lexicon(course, load_catalogue())))
    return opened
