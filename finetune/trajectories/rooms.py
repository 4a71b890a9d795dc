"""The courses that a file of questions is about, ready to be answered in, and whether each row fits its course."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import tools
from data.bundle import COURSES, EMBEDDED, HINTS
from data.course import BundleError, Course
from finetune import hints
from finetune.bundles import course
from finetune.hints import Hinting
from finetune.manifest import digest
from finetune.questions.row import Row
from finetune.trajectories.classroom import Classroom, RememberingEmbedder
from finetune.trajectories.settings import TrajectorySettings
from scribe.errors import RecordError
from scribe.trajectory import Exchange
from tools.embedder import Embedder, MiniLM
from tools.reading.known_questions import READ
from tools.reading.reader import Head, embedder_for, load, save
from tools.search.vault import Vault


def folder(settings: TrajectorySettings) -> Path:
    """Where the bundles lie."""
    return Path(settings.courses) if settings.courses else COURSES


def courses(rows: Iterable[Row], settings: TrajectorySettings, path: Path) -> Mapping[str, Course]:
    """The courses by the names that the rows of `path` use.

    Raises RecordError naming file and line for a row whose course, student or kind of report does not exist.
    """
    found: dict[str, Course] = {}
    for row in rows:
        try:
            if row.course not in found:
                found[row.course] = course(row.course, folder(settings))
            reports = found[row.course].student(row.student).reports
        except BundleError as error:
            raise RecordError(f"{_line(path, row.id)}: {error}") from error
        if row.theory not in reports:
            known = ", ".join(reports) or "none"
            raise RecordError(
                f"{_line(path, row.id)}: {row.student} has no report of the kind {row.theory!r}; there are: {known}"
            )
    return found


def rooms(found: Mapping[str, Course], settings: TrajectorySettings, scratch: Path) -> Mapping[str, Classroom]:
    """A classroom for each course. scratch: a folder for what takes minutes to make and a resumed run takes from it."""
    remembering = RememberingEmbedder(MiniLM())
    vault = Vault(remembering)
    taught = any(each.language in READ for each in found.values())
    hinting = _hinting(settings, remembering, scratch) if taught else _none
    return {name: Classroom(each, vault, hinting if each.language in READ else _none) for name, each in found.items()}


def _hinting(settings: TrajectorySettings, embedder: Embedder, scratch: Path) -> Hinting:
    """Hints for courses in a language that they were learned in; elsewhere they would only mislead."""
    if settings.hints == "none":
        return _none
    if settings.hints == "served":
        head = load(EMBEDDED / HINTS)
        return hints.plain(embedder_for(head, embedder), head)
    return hints.by_fold(_heads(embedder, scratch), embedder)


def made_from() -> tuple[Path, ...]:
    """What generated questions and the hints on them are made of, besides courses."""
    ours, theirs = Path(str(hints.__file__)).parents[1], Path(str(tools.__file__)).parent
    return (theirs / "questions", theirs / "reading" / "ngrams.py", ours / "questions", ours / "hints")


def _heads(embedder: Embedder, scratch: Path) -> list[Head]:
    """The heads of all folds, each trained once. They are always read from files, where they are rounded."""
    made_of = "".join(map(digest, made_from()))
    made = hashlib.sha256(made_of.encode()).hexdigest()[:16]
    paths = [scratch / f"{made}-{number}.npz" for number in range(hints.FOLDS)]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    if missing:
        scratch.mkdir(parents=True, exist_ok=True)
        for number in missing:
            save(hints.fold(hints.training(), embedder.fingerprint, number), paths[number])
    return [load(path) for path in paths]


def _none(question: str, history: Sequence[Exchange], wordings: Sequence[str], second: str) -> str:
    return ""


def _line(path: Path, id: str) -> str:
    """File and line of a row, which is not kept of rows that are right."""
    lines = path.read_text(encoding="utf-8").split("\n")
    numbers = (n for n, line in enumerate(lines, start=1) if line.strip() and str(json.loads(line)["id"]) == id)
    return f"{path}:{next(numbers)}"
