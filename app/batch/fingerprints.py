"""What an answer depends on, in short hashes: rows may stand in one file only if these are equal.

model: which weights. settings: those that change what is answered, not where a model lies or how many threads it has.
prompts: our texts, and the tools as the model sees them. course: every file of the bundle. row: the
question, whose it is, and what went before it.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from app.batch.output import Output
from app.batch.rows import QuestionRow
from data.catalogue import CATALOGUE
from data.course import Course
from scribe import prompts
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import hash_file
from tools.assembly.assistant import locate_courses, make_sample_toolbox
from tools.assembly.model import knows_tools
from tools.assembly.settings import AssistantSettings

_OF_MODEL = ("backend", "quantization", "dialect", "context")
_WORDS = {
    "id": "the input has no such id",
    "model": "the model is another one",
    "settings": "the settings differ",
    "prompts": "the prompts or tools have changed",
    "course": "the course's data have changed",
    "row": "the question, its student or its history is another one under the same id",
}
_REMEDY = "give what they were made with, another --out, or --fresh to answer everything anew"


Ground = Mapping[str, str]
"""What the rows of one course rest on besides the model: hashes of its bundle ("course") and of the "prompts"."""
Grounds = Mapping[str, Ground]
"""By course."""


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """The fingerprints of one run's rows. counting: the settings that `settings` is the hash of, as "table.key"."""

    model: str
    settings: str
    counting: Mapping[str, Any]
    grounds: Grounds

    def of(self, row: QuestionRow) -> dict[str, str]:
        asked = {name: value for name, value in asdict(row).items() if name not in ("id", "line")}
        parts = {"model": self.model, "settings": self.settings, **self.grounds[row.course]}
        return {**parts, "row": _hash_short(asked)}


def make_fingerprints(settings: AssistantSettings, info: Mapping[str, str], grounds: Grounds) -> Fingerprints:
    """The fingerprints of a run with these settings over the model that `info` describes."""
    of_model = {f"model.{name}": getattr(settings.model, name) for name in _OF_MODEL}
    of_answer = {f"answer.{name}": value for name, value in asdict(settings.answer).items()}
    others = {"chat.history": settings.chat.history, "search.embedder": settings.search.embedder}
    counting = {**of_model, **of_answer, **others, "model.by_heart": knows_tools(settings)}
    return Fingerprints(identify_model(info), _hash_short(counting), counting, grounds)


def identify_model(info: Mapping[str, str]) -> str:
    """Which weights answer: their hash where it is known, else the name; not where they lie."""
    return f"{info.get('backend', '')}:{info.get('sha256') or info.get('name', '')}"


def fingerprint_course(settings: AssistantSettings, course: Course) -> Ground:
    """The hashes of a course's files and of what its prompts are made of. Raises OSError."""
    folder = locate_courses(settings) / course.id
    # Hidden files, such as an editor's, are no part of a bundle.
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    bundle = {path.relative_to(folder).as_posix(): hash_file(path) for path in paths}
    texts = [path for path in sorted(Path(prompts.__file__).parent.iterdir()) if path.suffix in (".md", ".toml")]
    # The tools differ from student to student in what they return, not in how they are listed.
    listed = [make_sample_toolbox(settings, course).listing] if course.students else []
    read = {path.name: hash_file(path) for path in texts}
    files = {**bundle, "catalogue": hash_file(CATALOGUE)}
    return {"prompts": _hash_short([read, listed]), "course": _hash_short(files)}


def _hash_short(value: Any) -> str:
    """12 hex digits for any value that JSON can say."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def refuse_other_rows(
    output: Output, rows: Sequence[QuestionRow], fingerprints: Fingerprints, openai: bool, earlier: Mapping[str, Any]
) -> None:
    """Raise UsageError, saying what differs, unless every kept row is one that this run would make.

    earlier: the manifest of the run before, which may say what its settings were.
    """
    wanted = {row.id: row for row in rows}
    strange = [id for id in output.rows if id not in wanted]
    if not strange and any(row.openai != openai for row in output.rows.values()):
        form = "is not" if openai else "is"
        raise UsageError(f"{output.path} {form} in OpenAI's form; give another --out, or --fresh")
    differing: dict[str, list[str]] = {"id": strange} if strange else {}
    for id, kept in output.rows.items():
        now = {} if strange else fingerprints.of(wanted[id])
        for part in (part for part in now if kept.fingerprint.get(part) != now[part]):
            differing.setdefault(part, []).append(id)
    if not differing:
        return
    details = {part: _name_some(ids) for part, ids in differing.items()}
    if "model" in differing:
        was = output.rows[differing["model"][0]].fingerprint.get("model")
        details["model"] = f"was {was}, is {fingerprints.model}"
    if "settings" in differing and "settings" in earlier:
        old, new = earlier["settings"], fingerprints.counting
        changed = [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
        told = [f"{name} was {old.get(name)!r} and is {new.get(name)!r}" for name in changed]
        details["settings"] = ", ".join(told) or details["settings"]
    reasons = "; ".join(f"{_WORDS[part]} ({detail})" for part, detail in details.items())
    count = len({id for ids in differing.values() for id in ids})
    what = "a row" if count == 1 else f"{count} rows"
    raise UsageError(f"{output.path} holds {what} that cannot stand beside this run's: {reasons}; {_REMEDY}")


def _name_some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:3]) + (", …" if len(ids) > 3 else "")
