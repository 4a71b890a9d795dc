"""The pipeline's step that ends with a file of trajectories.

From a dataset it copies. From a writer it goes in rounds: beside `OUT` lies the folder `OUT.rounds` with
`1.requests.jsonl`; whoever runs them puts the responses there as `1.responses.jsonl` (any name that ends in
`.responses.jsonl` will do), and the same command writes the next round, until every conversation has ended.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from data import bundle
from finetune.conversations.dataset import ANSWERS, LEANING, SHIPPED, read_dataset, replace_answers
from finetune.conversations.rounds import RecordedWriter, WriterRound, play_back
from finetune.conversations.writer_files import Question, read_questions, read_responses, write_requests
from finetune.settings import TrajectorySettings, courses_folder
from finetune.step import PipelineStep, StepResult
from scribe import records
from scribe.plumbing.errors import UsageError
from scribe.plumbing.progress import OnProgress
from scribe.records import Record
from scribe.trajectory import Stop
from tools.assembly.assistant import Assistant, assemble_each
from tools.assembly.settings import AssistantSettings

STEP = "trajectories"
RESPONSES = ".responses.jsonl"
REQUESTS = ".requests.jsonl"


def make_step(settings: TrajectorySettings, out: Path) -> PipelineStep:
    """The step that writes to `out` the trajectories that ended answered, in the questions' order.

    Raises UsageError if no file of questions is named. When run: RecordError naming file and line; UsageError, with
    what to do, while the writer has open requests.
    """
    if settings.source == "dataset":
        inputs = {"dataset": find_dataset(settings)}
        if settings.answers != "own":
            inputs["answers"] = ANSWERS[settings.answers]
        if _takes_leaning(settings):
            inputs["leaning"] = LEANING
    elif settings.questions:
        inputs = {"questions": Path(settings.questions).expanduser()}
    else:
        raise UsageError('[trajectories] source = "files" needs questions, a file of JSON lines to ask the writer')
    return PipelineStep(STEP, STEP, out, inputs, settings, partial(_make, settings, out))


def find_dataset(settings: TrajectorySettings) -> Path:
    """The set's file."""
    return Path(settings.dataset).expanduser() if settings.dataset else SHIPPED


def _takes_leaning(settings: TrajectorySettings) -> bool:
    return settings.answers == "close" and not settings.dataset


def find_rounds(out: Path) -> Path:
    """The folder of requests and responses beside an output."""
    return out.with_name(f"{out.name}.rounds")


def count_conversations(settings: TrajectorySettings) -> int:
    """How many conversations the dataset holds; of a writer that is asked, how many questions there are."""
    if settings.source == "dataset":
        files = [find_dataset(settings), *([LEANING] if _takes_leaning(settings) else [])]
        return sum(1 for path in files for _ in read_dataset(path))
    return len(read_questions(Path(settings.questions).expanduser()))


def _make(settings: TrajectorySettings, out: Path, on_progress: OnProgress) -> StepResult:
    if settings.source == "dataset":
        kept = list(read_dataset(find_dataset(settings)))
        if settings.answers != "own":
            kept = list(replace_answers(kept, ANSWERS[settings.answers]))
        if _takes_leaning(settings):
            kept += read_dataset(LEANING)
        if not kept:
            raise UsageError(f"{find_dataset(settings)}: no conversation has an answer of the kind {settings.answers}")
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
    found = play_back(questions, turns, _open_assistants(settings, questions))
    on_progress(STEP, len(found.ended), len(questions))
    if found.prompts:
        raise UsageError(_ask(settings, found, len(questions), rounds))
    ended = ((one, found.ended[one.id]) for one in questions if one.id in found.ended)
    info = {"backend": "recorded", "name": settings.model}
    return [Record.of(done, one.id, info) for one, done in ended if done.stop is Stop.ANSWERED]


def _open_assistants(settings: TrajectorySettings, questions: Sequence[Question]) -> dict[str, Assistant]:
    """What serves students, by course, with rules and tools in the prompt."""
    served = AssistantSettings().with_changes("model", backend="api", prompt="full")
    served = served.with_changes("answer", steps=settings.steps, faults=settings.faults)
    names = {one.course for one in questions}
    courses = {name: bundle.find(name, courses_folder(settings.courses)) for name in sorted(names)}
    assistants = assemble_each(served, courses.values(), RecordedWriter("", {}))
    return {name: assistants[course.id] for name, course in courses.items()}


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
