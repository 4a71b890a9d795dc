"""`scribe answer`: a file of questions to a file of answers, as far as it was not done before.

Exit codes: 0 every row answered, 1 the run could not go on (a full disk, workers that die, a fault of ours), 2 refused
with nothing written, 3 some rows unresolved, failed or left because of --max-errors, 130 interrupted. After 1, 3 and
130 the same command goes on where it was.
"""

import argparse
import contextlib
import sys
from collections.abc import Mapping

from app.batch import manifest
from app.batch.answering import Answering
from app.batch.fingerprints import Ground
from app.batch.job import Options, Outcome, StartEngine
from app.batch.job import run as answer
from app.batch.output import BrokenOff
from app.batch.running import Engine
from app.batch.threads import Threads
from app.build import MakeBackend
from app.cli import FAULT, INTERRUPTED, UNRESOLVED
from app.cli_ask import with_model
from app.settings import Settings
from data.course import Course


def run(arguments: argparse.Namespace, settings: Settings, make: MakeBackend | None) -> int:
    """Answer what is not answered yet, and return the exit code."""
    chosen = with_model(settings, arguments).changed("answer", seed=arguments.seed, temperature=arguments.temperature)
    chosen = chosen.changed("courses", theory=arguments.theory).changed("model", parallel=arguments.parallel)
    options = _options(arguments, chosen.model.parallel)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # libraries may print what they like there
            outcome = answer(options, chosen, _starting(arguments, chosen, make))
    except BrokenOff as error:
        print(f"scribe: {error}", file=sys.stderr)
        return FAULT
    print(_told(outcome, options))
    return _code(outcome)


def _options(arguments: argparse.Namespace, parallel: int) -> Options:
    return Options(
        source=arguments.source,
        out=arguments.out,
        openai=arguments.openai,
        order=arguments.order,
        limit=arguments.limit,
        retry_failed=arguments.retry_failed,
        fresh=arguments.fresh,
        max_errors=arguments.max_errors,
        command=tuple(sys.argv),
        engine=arguments.engine,
        parallel=parallel,
    )


def _starting(arguments: argparse.Namespace, settings: Settings, make: MakeBackend | None) -> StartEngine:
    """What starts the engine that the arguments name."""

    def local(courses: Mapping[str, Course], grounds: Mapping[str, Ground], rows: int) -> Engine:
        return Threads(Answering(settings, courses, make), settings.model.parallel)

    def ray(courses: Mapping[str, Course], grounds: Mapping[str, Ground], rows: int) -> Engine:
        from app.batch.cluster import RayWorkers
        from app.batch.placement import Placement

        # A worker has as many threads as CPUs, or several on one machine would be in each other's way.
        threads = settings.model.threads or max(1, int(arguments.ray_cpus))
        wanted = arguments.ray_workers, arguments.ray_cpus, arguments.ray_gpus
        placement = Placement(arguments.ray_address, *wanted, settings.model.parallel)
        return RayWorkers(settings.changed("model", threads=threads), courses, make, placement, grounds, rows)

    return ray if arguments.engine == "ray" else local


def _told(outcome: Outcome, options: Options) -> str:
    """What became of the rows, and where that is written."""
    words = {"ok": "answered", "unresolved": "unresolved", "error": "failed"}
    parts = [f"{outcome.counts[status]} {word}" for status, word in words.items() if outcome.counts.get(status)]
    missing = outcome.wanted - sum(outcome.counts.values())
    parts += [f"{missing} left; run the same again to go on"] if missing else []
    lines = [f"{outcome.wanted} question{'s' if outcome.wanted != 1 else ''}: {', '.join(parts)}"]
    if outcome.trouble:
        lines.append(f"the first that failed: {outcome.trouble}")
    return "\n".join([*lines, f"{options.out}, {manifest.beside(options.out.resolve()).name}"])


def _code(outcome: Outcome) -> int:
    if outcome.state == "interrupted":
        return INTERRUPTED
    return 0 if outcome.counts.get("ok") == outcome.wanted else UNRESOLVED
