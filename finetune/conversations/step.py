"""The pipeline's step that ends with a file of trajectories.

From a dataset it copies. From a writer it goes in rounds: beside `OUT` lies the folder `OUT.rounds` with
`1.requests.jsonl`; whoever runs them puts the responses there as `1.responses.jsonl` (any name that ends in
`.responses.jsonl` will do), and the same command writes the next round, until every conversation has ended.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from finetune.classroom import open_classrooms
from finetune.conversations.dataset import PLAIN, SHIPPED, read_dataset, with_plain_answers
from finetune.conversations.questions import Question, read_questions
from finetune.conversations.requests import read_responses, write_requests
from finetune.conversations.rounds import WriterRound, play_back
from finetune.settings import TrajectorySettings, courses_folder
from finetune.step import PipelineStep, StepResult
from scribe import records
from scribe.agent import Limits
from scribe.errors import UsageError
from scribe.plumbing.progress import OnProgress
from scribe.records import Record
from scribe.trajectory import Stop

STEP = "trajectories"
RESPONSES = ".responses.jsonl"
REQUESTS = ".requests.jsonl"


def make_step(settings: TrajectorySettings, out: Path) -> PipelineStep:
    """The step that writes to `out` the trajectories that ended answered, in the questions' order.

    Raises UsageError if no file of questions is named. When run: RecordError naming file and line; UsageError, with
    what to do, while the writer has open requests.
    """
    if settings.source == "dataset":
        inputs = {"dataset": find_dataset(settings)} | ({"plain": PLAIN} if settings.plain else {})
    elif settings.questions:
        inputs = {"questions": Path(settings.questions).expanduser()}
    else:
        raise UsageError('[trajectories] source = "files" needs questions, a file of JSON lines to ask the writer')
    return PipelineStep(STEP, STEP, out, inputs, settings, partial(_make, settings, out))


def find_dataset(settings: TrajectorySettings) -> Path:
    """The set's file."""
    return Path(settings.dataset).expanduser() if settings.dataset else SHIPPED


def find_rounds(out: Path) -> Path:
    """The folder of requests and responses beside an output."""
    return out.with_name(f"{out.name}.rounds")


def count_conversations(settings: TrajectorySettings) -> int:
    """How many conversations the dataset holds; of a writer that is asked, how many questions there are."""
    if settings.source == "dataset":
        return sum(1 for _ in read_dataset(find_dataset(settings)))
    return len(read_questions(Path(settings.questions).expanduser()))


def _make(settings: TrajectorySettings, out: Path, on_progress: OnProgress) -> StepResult:
    if settings.source == "dataset":
        found = read_dataset(find_dataset(settings))
        kept = list(with_plain_answers(found) if settings.plain else found)
    else:
        questions = read_questions(Path(settings.questions).expanduser())
        kept = _collect(settings, questions, find_rounds(out), on_progress)
    records.write(out, kept)
    return StepResult({"trajectories": len(kept), "calls": sum(len(each.trajectory.acts) for each in kept)})


def _collect(
    settings: TrajectorySettings, questions: Sequence[Question], rounds: Path, on_progress: OnProgress
) -> list[Record]:
    """The records, if the writer has said everything. Raises UsageError, the next requests written, if not."""
    if not questions:
        raise UsageError(f"{settings.questions} holds no questions")
    turns: dict[str, str] = {}
    for path in sorted(rounds.glob(f"*{RESPONSES}")):
        turns |= read_responses(path)
    classrooms = open_classrooms((one.course for one in questions), courses_folder(settings.courses))
    found = play_back(questions, turns, classrooms, Limits(settings.steps, settings.faults))
    on_progress(STEP, len(found.ended), len(questions))
    if found.prompts:
        raise UsageError(_ask(settings, found, len(questions), rounds))
    ended = ((one, found.ended[one.id]) for one in questions if one.id in found.ended)
    info = {"backend": "recorded", "name": settings.model}
    return [Record.of(done, one.id, info) for one, done in ended if done.stop is Stop.ANSWERED]


def _ask(settings: TrajectorySettings, found: WriterRound, questions: int, rounds: Path) -> str:
    """Write the next requests, and say what to do with them."""
    number = 1 + len(list(rounds.glob(f"*{RESPONSES}")))
    path = rounds / f"{number}{REQUESTS}"
    body = {"model": settings.model, "temperature": settings.temperature, "max_tokens": settings.max_tokens}
    write_requests(path, found.prompts, body)
    return (
        f"{len(found.ended)} of {questions} conversations have ended; {len(found.prompts)} requests are in "
        f"{path}: run them with a batch service (or `vllm run-batch -i {path.name} -o {number}{RESPONSES} --model …`), "
        f"put the responses there as {number}{RESPONSES}, and run the same command again"
    )
