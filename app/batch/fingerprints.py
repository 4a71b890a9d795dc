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
from scribe.errors import UsageError
from scribe.plumbing.files import hash_file
from tools.assembly.assistant import locate_courses, make_sample_toolbox
from tools.assembly.model import knows_tools
from tools.assembly.settings import AssistantSettings

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

    def of(self, row: QuestionRow) -> dict[str, str]:
        """The five hashes of a row, by what they are of."""
        ground = self.grounds[row.course]
        parts = {"model": self.model, "settings": self.settings, "prompts": ground.prompts, "course": ground.course}
        return {**parts, "row": _short(_row(row))}


def make_fingerprints(
    settings: AssistantSettings, info: Mapping[str, str], grounds: Mapping[str, Ground]
) -> Fingerprints:
    """The fingerprints of a run with these settings over the model that `info` describes."""
    return Fingerprints(identify_model(info), _short(list_counting_settings(settings)), grounds)


def identify_model(info: Mapping[str, str]) -> str:
    """Which weights answer: their hash where it is known, else the name; not where they lie."""
    return f"{info.get('backend', '')}:{info.get('sha256') or info.get('name', '')}"


def list_counting_settings(settings: AssistantSettings) -> dict[str, Any]:
    """The settings that change what is answered, as "table.key"."""
    of_model = {f"model.{name}": getattr(settings.model, name) for name in _OF_MODEL}
    of_answer = {f"answer.{name}": value for name, value in asdict(settings.answer).items()}
    others = {"chat.history": settings.chat.history, "search.embedder": settings.search.embedder}
    return {**of_model, **of_answer, **others, "model.by_heart": knows_tools(settings)}


def fingerprint_course(settings: AssistantSettings, course: Course) -> Ground:
    """The hashes of a course's files and of what its prompts are made of. Raises OSError."""
    bundle = {**_files(locate_courses(settings) / course.id), "catalogue": hash_file(CATALOGUE)}
    texts = [path for path in sorted(Path(prompts.__file__).parent.iterdir()) if path.suffix in (".md", ".toml")]
    # The tools differ from student to student in what they return, not in how they are listed.
    listed = [make_sample_toolbox(settings, course).listing] if course.students else []
    read = {path.name: hash_file(path) for path in texts}
    return Ground(_short(bundle), _short([read, listed]))


def _files(folder: Path) -> dict[str, str]:
    """Each file's hash by its path in the folder; hidden ones, such as an editor's, are no part of a bundle."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix(): hash_file(path) for path in paths}


def _row(row: QuestionRow) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name not in ("id", "line")}


def _short(value: Any) -> str:
    """12 hex digits for any value that JSON can say."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


_WORDS = {
    "model": "the model is another one",
    "settings": "the settings differ",
    "prompts": "the prompts or tools have changed",
    "course": "the course's data have changed",
    "row": "the question, its student or its history is another one under the same id",
}
_REMEDY = "give what they were made with, another --out, or --fresh to answer everything anew"


def refuse_other_rows(
    output: Output,
    rows: Sequence[QuestionRow],
    fingerprints: Fingerprints,
    openai: bool,
    settings: Mapping[str, Any],
    earlier: Mapping[str, Any],
) -> None:
    """Raise UsageError, saying what differs, unless every kept row is one that this run would make.

    settings: those that count now. earlier: the manifest of the run before, which may say what they were.
    """
    if not output.rows:
        return
    wanted = {row.id: row for row in rows}
    strange = [id for id in output.rows if id not in wanted]
    if strange:
        raise _make_refusal(output, len(strange), f"the input has no such id ({_name_some(strange)})")
    if any(row.openai != openai for row in output.rows.values()):
        form = "is not" if openai else "is"
        raise UsageError(f"{output.path} {form} in OpenAI's form; give another --out, or --fresh")
    differing: dict[str, list[str]] = {}
    for id, kept in output.rows.items():
        now = fingerprints.of(wanted[id])
        for part in (part for part in _WORDS if kept.fingerprint.get(part) != now[part]):
            differing.setdefault(part, []).append(id)
    if differing:
        reasons = [_explain(part, ids, output, fingerprints, settings, earlier) for part, ids in differing.items()]
        count = len({id for ids in differing.values() for id in ids})
        raise _make_refusal(output, count, "; ".join(reasons))


def list_left(output: Output, rows: Sequence[QuestionRow]) -> list[QuestionRow]:
    """The rows that have no line yet."""
    return [row for row in rows if row.id not in output.rows]


def _explain(
    part: str,
    ids: Sequence[str],
    output: Output,
    fingerprints: Fingerprints,
    settings: Mapping[str, Any],
    earlier: Mapping[str, Any],
) -> str:
    was = output.rows[ids[0]].fingerprint.get(part)
    match part:
        case "model":
            return f"{_WORDS[part]} (was {was}, is {fingerprints.model})"
        case "settings" if earlier and earlier["fingerprint"].get("settings") == was:
            return f"{_WORDS[part]} ({_list_changes(earlier['settings'], settings)})"
        case _:
            return f"{_WORDS[part]} ({_name_some(ids)})"


def _list_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} was {before.get(name)!r} and is {now.get(name)!r}"
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    )


def _name_some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:3]) + (", …" if len(ids) > 3 else "")


def _make_refusal(output: Output, count: int, why: str) -> UsageError:
    rows = "a row" if count == 1 else f"{count} rows"
    return UsageError(f"{output.path} holds {rows} that cannot stand beside this run's: {why}; {_REMEDY}")
