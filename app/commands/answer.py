"""`scribe answer`: a file of questions to a file of answers, as far as it was not done before.

Exit codes: 0 every row answered, 1 the run could not go on (a full disk, workers that die, a fault of ours), 2 refused
with nothing written, 3 some rows unresolved, failed or left because of --max-errors, 130 interrupted. After 1, 3 and
130 the same command goes on where it was.
"""

import argparse
import contextlib
import sys
from collections.abc import Mapping
from pathlib import Path

from app.batch.fingerprints import Grounds
from app.batch.job import AnswerEngine, BatchOutcome, StartEngine, run_batch
from app.batch.local import LocalEngine
from app.batch.output import BrokenOff
from app.commands import FAULT, INTERRUPTED, UNRESOLVED
from app.commands.arguments import (
    add_model,
    add_sampling,
    choose_model,
    choose_sampling,
    parse_amount,
    parse_count,
    parse_whole,
)
from data.course import Course
from scribe.plumbing.manifest import manifest_path
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("source", type=Path, metavar="IN", help="JSON lines, CSV, or OpenAI's batch requests")
    parser.add_argument("--out", type=Path, required=True, metavar="OUT.jsonl", help="one record a line")
    parser.add_argument("--parallel", type=parse_count, metavar="N", help="questions at a time (of a worker)")
    parser.add_argument("--theory", metavar="nr|ac|con", help="the report that is read where a row names none")
    parser.add_argument("--order", choices=("input", "completion"), default="input", help="of the finished file")
    parser.add_argument("--openai", action="store_true", help="answer in OpenAI's form, as its requests are anyway")
    parser.add_argument("--limit", type=parse_count, metavar="N", help="only the first N rows")
    parser.add_argument("--retry-failed", action="store_true", help="do rows again that ended in an error")
    parser.add_argument("--max-errors", type=parse_whole, metavar="N", help="stop when more than N rows have failed")
    parser.add_argument("--fresh", action="store_true", help="throw away what OUT holds")
    add_sampling(parser)
    add_model(parser)
    ray = parser.add_argument_group("machines")
    ray.add_argument("--engine", choices=("local", "ray"), default="local", help="threads here, or a Ray cluster")
    ray.add_argument("--ray-address", default="", metavar="HOST:PORT", help="or auto; none starts Ray on this machine")
    ray.add_argument("--ray-workers", type=parse_count, default=0, metavar="N", help="models in the cluster; as fit")
    ray.add_argument("--ray-cpus", type=parse_amount, default=1.0, metavar="N", help="CPUs of a worker")
    ray.add_argument("--ray-gpus", type=parse_amount, default=0.0, metavar="N", help="GPUs of a worker")


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    chosen = choose_sampling(choose_model(settings, arguments), arguments)
    chosen = chosen.with_changes("courses", theory=arguments.theory).with_changes("model", parallel=arguments.parallel)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # libraries may print what they like there
            outcome = run_batch(arguments, chosen, _choose_engine(arguments, chosen, make))
    except BrokenOff as error:
        print(f"scribe: {error}", file=sys.stderr)
        return FAULT
    print(_summarise(outcome, arguments.out))
    if outcome.state == "interrupted":
        return INTERRUPTED
    return 0 if outcome.counts.get("ok") == outcome.wanted else UNRESOLVED


def _choose_engine(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> StartEngine:
    def local(courses: Mapping[str, Course], grounds: Grounds, rows: int) -> AnswerEngine:
        return LocalEngine(settings, courses, make)

    def ray(courses: Mapping[str, Course], grounds: Grounds, rows: int) -> AnswerEngine:
        from app.batch.cluster import RayWorkers

        # A worker has as many threads as CPUs, or several on one machine would be in each other's way.
        threads = settings.model.threads or max(1, int(arguments.ray_cpus))
        return RayWorkers(settings.with_changes("model", threads=threads), courses, make, arguments, grounds, rows)

    return ray if arguments.engine == "ray" else local


def _summarise(outcome: BatchOutcome, out: Path) -> str:
    words = {"ok": "answered", "unresolved": "unresolved", "error": "failed"}
    parts = [f"{outcome.counts[status]} {word}" for status, word in words.items() if outcome.counts.get(status)]
    missing = outcome.wanted - sum(outcome.counts.values())
    parts += [f"{missing} left; run the same again to go on"] if missing else []
    lines = [f"{outcome.wanted} question{'s' if outcome.wanted != 1 else ''}: {', '.join(parts)}"]
    if outcome.trouble:
        lines.append(f"the first that failed: {outcome.trouble}")
    return "\n".join([*lines, f"{out}, {manifest_path(out.resolve()).name}"])
