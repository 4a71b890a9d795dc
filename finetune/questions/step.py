"""The pipeline's first step: from courses to a file of questions.

Beside OUT lie `OUT.manifest.json`, `OUT.dropped.jsonl` (what was left out, each with its reason) and, from a language
model, `OUT.replies.jsonl`: a run that was killed asks nothing again.
"""

import json
import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import tools
from data import bundle
from data.course import Course
from eval.similarity import texts
from finetune import manifest
from finetune.manifest import Tell
from finetune.questions import row as rows_file
from finetune.questions.asked import Asked, Spent
from finetune.questions.categories import OUTSIDE, named
from finetune.questions.cleaning import Bounds, Dropped, clean
from finetune.questions.offline import Offline
from finetune.questions.question import split_students
from finetune.questions.replies import Replies
from finetune.questions.row import Row
from finetune.questions.settings import Settings
from finetune.questions.source import Source, Wanted
from finetune.whole import written
from scribe.errors import UsageError
from tools.embedder import Embedder, MiniLM

STEP = "questions"


def run(settings: Settings, courses: Sequence[Path], out: Path, tell: Tell, embedder: Embedder | None = None) -> None:
    """Write the questions about these course bundles to `out`, unless they are there already.

    embedder: compares meanings, by default MiniLM. Raises UsageError for settings that these courses do not allow,
    BundleError for a broken course, BackendError if a model cannot be asked; what it said until then is kept.
    """
    given = inputs(settings, courses)
    if manifest.is_done(out, STEP, given, settings):
        return
    began = time.perf_counter()
    samples = real(settings)
    wanted = list(_wanted(settings, [bundle.load(folder) for folder in courses]))
    with _source(settings, out, samples) as source:
        made = list(_made(source, wanted, settings.parallel if settings.source == "api" else 1, tell))
        spent = source.spent if isinstance(source, Asked) else Spent()
    kept, dropped = clean(made, _bounds(settings, samples), embedder or MiniLM())
    if not kept:
        raise UsageError(f"none of {len(made)} questions is left; see shortest and longest under [questions]")
    _write_dropped(beside(out, "dropped"), dropped)
    rows_file.write(out, kept)
    counts = _counts(made, kept, dropped) | {"asked": dict(spent.counts), "endpoint seconds": round(spent.seconds, 1)}
    models = sorted(spent.models) or [source.name]
    manifest.finish(out, STEP, given, settings, counts, time.perf_counter() - began, models)


def beside(out: Path, what: str) -> Path:
    """Where what belongs to the questions lies: `dropped` or `replies`."""
    return out.with_name(f"{out.name}.{what}.jsonl")


def real(settings: Settings) -> dict[str, list[str]]:
    """The real questions by category. Raises UsageError or RecordError if the file cannot be read."""
    with _samples(settings) as path:
        found: dict[str, list[str]] = {}
        for each in texts.read(path):
            found.setdefault(each.category, []).append(each.question)
    return found


@contextmanager
def _samples(settings: Settings) -> Iterator[Path]:
    if settings.samples:
        yield Path(settings.samples)
    else:
        with as_file(files("eval").joinpath("student_questions.jsonl")) as path:
            yield path


def inputs(settings: Settings, courses: Sequence[Path]) -> Mapping[str, Path]:
    """What the step reads, by name."""
    with _samples(settings) as path:
        read = {f"course {folder.name}": folder for folder in courses} | {"samples": path}
    if settings.source == "offline":
        read |= {"wordings": Path(str(tools.__file__)).parent / "questions", "manner": Path(__file__).parent}
    return read


@contextmanager
def _source(settings: Settings, out: Path, samples: Mapping[str, Sequence[str]]) -> Iterator[Source]:
    if settings.source == "offline":
        yield Offline(settings.mixture, settings.held_out)
        return
    replies = Replies(beside(out, "replies"))
    try:
        yield Asked(settings, replies, samples)
    finally:
        replies.close()


def _wanted(settings: Settings, courses: Sequence[Course]) -> Iterator[Wanted]:
    """Every report with every category. Raises UsageError if no student has such reports."""
    for course in courses:
        students = _students(settings, course)
        if not students:
            side = "held-out student" if settings.held_out else "student for training"
            raise UsageError(f"no {side} of {course.id} has a report of {', '.join(settings.theories)}")
        for student, theory in ((each, t) for each in students for t in settings.theories):
            if theory not in course.student(student).reports:
                continue
            for category in named((*settings.categories, OUTSIDE)):
                usual = settings.outside if category.id == OUTSIDE else settings.each
                if count := settings.each_of.get(category.id, usual):
                    yield Wanted(course, student, theory, category, count, settings.seed)


def _students(settings: Settings, course: Course) -> list[str]:
    """So many of this side of the split who have a report to ask about."""
    side = split_students(list(course.students))[int(settings.held_out)]
    known = [each for each in side if set(settings.theories) & set(course.student(each).reports)]
    if not settings.students or settings.students >= len(known):
        return known
    return sorted(random.Random(f"{settings.seed}.{course.id}").sample(known, settings.students))


def _made(source: Source, wanted: Sequence[Wanted], parallel: int, tell: Tell) -> Iterator[Row]:
    """All questions, in the order wanted. The first error ends it once what is under way has come back."""
    over = threading.Event()

    def questions(each: Wanted) -> Sequence[Row]:
        if over.is_set():  # nobody will read them: an earlier one's error comes first
            return ()
        try:
            return source.questions(each)
        except BaseException:
            over.set()
            raise

    with ThreadPoolExecutor(parallel) as pool:
        try:
            for done, rows in enumerate(pool.map(questions, wanted), start=1):
                tell(STEP, done, len(wanted))
                yield from rows
        finally:
            over.set()


def _bounds(settings: Settings, samples: Mapping[str, Sequence[str]]) -> Bounds:
    words = [len(text.split()) for texts in samples.values() for text in texts]
    shortest, longest = settings.shortest or min(words), settings.longest or max(words)
    return Bounds(shortest, longest, settings.alike, settings.closest, settings.repeats)


def _counts(made: Sequence[Row], kept: Sequence[Row], dropped: Sequence[Dropped]) -> dict[str, Any]:
    return {
        "made": len(made),
        "kept": len(kept),
        "dropped": dict(Counter(each.reason for each in dropped)),
        "by course": dict(Counter(row.course for row in kept)),
        "by category": dict(Counter(row.category for row in kept)),
        "by intent": dict(Counter(row.intent or "unknown" for row in kept)),
        "by style": dict(Counter(each for row in kept for each in row.style)),
    }


def _write_dropped(path: Path, dropped: Sequence[Dropped]) -> None:
    with written(path) as partial, partial.open("w", encoding="utf-8") as file:
        for each in dropped:
            line = {"reason": each.reason, "of": each.of, **asdict(each.row)}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
