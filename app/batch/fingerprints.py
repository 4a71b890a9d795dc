"""What an answer depends on, in short hashes: rows may stand in one file only if these are equal.

model: which weights. settings: those that change what is answered, not where a model lies or how many threads it has.
prompts: our texts, and the tools as the model sees them. course: every file of the bundle. row: the
question, whose it is, and what went before it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app import build
from app.batch.row import Row
from app.settings import Settings
from data.catalogue import CATALOGUE
from data.course import Course
from scribe import prompts
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

_OF_MODEL = ("backend", "quantization", "dialect", "context")


@dataclass(frozen=True, slots=True)
class Ground:
    """What the rows of one course rest on besides the model: hashes of its bundle and of the prompts."""

    course: str
    prompts: str


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """The fingerprints of one run's rows."""

    model: str
    settings: str
    grounds: Mapping[str, Ground]

    def of(self, row: Row) -> dict[str, str]:
        """The five hashes of a row, by what they are of."""
        ground = self.grounds[row.course]
        parts = {"model": self.model, "settings": self.settings, "prompts": ground.prompts, "course": ground.course}
        return {**parts, "row": _short(_row(row))}


def make(settings: Settings, info: Mapping[str, str], grounds: Mapping[str, Ground]) -> Fingerprints:
    """The fingerprints of a run with these settings over the model that `info` describes."""
    return Fingerprints(model(info), _short(counting(settings)), grounds)


def model(info: Mapping[str, str]) -> str:
    """Which weights answer: their hash where it is known, else the name; not where they lie."""
    return f"{info.get('backend', '')}:{info.get('sha256') or info.get('name', '')}"


def counting(settings: Settings) -> dict[str, Any]:
    """The settings that change what is answered, as "table.key"."""
    of_model = {f"model.{name}": getattr(settings.model, name) for name in _OF_MODEL}
    of_answer = {f"answer.{name}": value for name, value in asdict(settings.answer).items()}
    others = {"chat.history": settings.chat.history, "search.embedder": settings.search.embedder}
    return {**of_model, **of_answer, **others, "model.by_heart": build.knows_tools(settings)}


def ground(settings: Settings, course: Course) -> Ground:
    """The hashes of a course's files and of what its prompts are made of. Raises OSError."""
    bundle = {**_files(build.courses_folder(settings) / course.id), "catalogue": _digest(CATALOGUE)}
    texts = [path for path in sorted(Path(prompts.__file__).parent.iterdir()) if path.suffix in (".md", ".toml")]
    # The tools differ from student to student in what they return, not in how they are listed.
    vault, web = VectorStore(MiniLM()), build.web(settings)
    listed = [make_toolbox(course, student, vault, web=web).listing for student in list(course.students)[:1]]
    read = {path.name: _digest(path) for path in texts}
    return Ground(_short(bundle), _short([read, listed]))


def _files(folder: Path) -> dict[str, str]:
    """Each file's hash by its path in the folder; hidden ones, such as an editor's, are no part of a bundle."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix(): _digest(path) for path in paths}


def _row(row: Row) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name not in ("id", "line")}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _short(value: Any) -> str:
    """12 hex digits for any value that JSON can say."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]
