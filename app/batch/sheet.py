"""Reading a file of questions: JSON lines, CSV, or the lines of OpenAI's batches. Nothing is looked up here.

JSON lines: {"id", "course", "student", "question"}, and if wanted "theory" and "history", a list of
{"question", "answer"}; other fields are left alone. CSV and TSV have the same names in their first line; a cell of
history is JSON. What OpenAI's lines must hold is said in `openai_form`.
"""

import codecs
import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from app.batch import openai_form
from app.batch.rows import NEEDED, Note, Problems, QuestionRow, make_row
from scribe.errors import UsageError
from tools.assembly.settings import AnswerSettings

Form = Literal["rows", "openai"]
TABLES = (".csv", ".tsv")
_MARK = codecs.BOM_UTF8  # with which some spreadsheets begin UTF-8


@dataclass(frozen=True, slots=True)
class QuestionSheet:
    """The rows of a file in its order, which form it has, and the SHA-256 of what was read."""

    rows: tuple[QuestionRow, ...]
    form: Form
    sha256: str


def read_sheet(path: Path, answer: AnswerSettings, problems: Problems) -> QuestionSheet:
    """The rows that can be made sense of; what is wrong with the others is noted.

    answer: how answers are drawn, which a line of OpenAI's form may ask for too. Raises UsageError for a file that
    cannot be read or holds nothing.
    """
    read = _read_content(path)
    digest, content = hashlib.sha256(read).hexdigest(), read.removeprefix(_MARK)
    if path.suffix.lower() in TABLES:
        return QuestionSheet(_refuse_duplicates(_read_table(content, problems), problems), "rows", digest)
    parsed = list(_read_objects(content, problems))
    form: Form = "openai" if any("custom_id" in data for _, data in parsed) else "rows"
    made = (_make_row(form, data, line, answer, problems.at(line)) for line, data in parsed)
    if not parsed and not problems.found:
        raise UsageError(f"{path} holds no questions")
    return QuestionSheet(_refuse_duplicates([each for each in made if each], problems), form, digest)


def _read_content(path: Path) -> bytes:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"the questions {path} cannot be read: {error.strerror}") from error
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UsageError(f"{path} is in UTF-16; save it as UTF-8")
    return content


def _make_row(form: Form, data: Mapping[str, Any], line: int, answer: AnswerSettings, note: Note) -> QuestionRow | None:
    given = openai_form.read_request(data, answer, note) if form == "openai" else data
    return None if given is None else make_row(given, line, note)


def _read_objects(content: bytes, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON object of each line that is not blank, with its number."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            data = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError:
            problems.at(number)("not readable text; write the file in UTF-8")
        except (ValueError, RecursionError) as error:
            problems.at(number)(f"not readable JSON: {error}")
        else:
            if isinstance(data, dict):
                yield number, data
            else:
                problems.at(number)('not a JSON object; write {"id": …, "course": …, "student": …, "question": …}')


def _read_table(content: bytes, problems: Problems) -> list[QuestionRow]:
    """The rows of a CSV file; a row is on the line where it begins, since a cell may hold line breaks."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.at(content.count(b"\n", 0, error.start) + 1)("not readable text; save the file as UTF-8")
        return []
    begin = text[: min(at for at in (text.find("\n"), text.find("\r"), len(text)) if at >= 0)]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=begin.count), strict=True)
    rows = [make_row(cells, line, problems.at(line)) for line, cells in _read_cells(reader, problems)]
    if not rows and not problems.found:
        raise UsageError(f"{problems.path} holds no questions")
    return [each for each in rows if each]


def _read_cells(reader: Any, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row as field to cell, without the empty ones, with the line where it begins."""
    line = 1
    try:
        header = [name.strip() for name in next(reader, [])]
        if wrong := _header_wrong(header):
            problems.at(line)(wrong)
            return
        while True:
            line = reader.line_num + 1
            cells = next(reader)
            if len(cells) == len(header):
                yield line, _cell_values(header, cells, problems.at(line))
            elif cells:
                problems.at(line)(f"{len(cells)} cells, but the first line names {len(header)}")
    except StopIteration:
        return
    except csv.Error as error:
        problems.at(line)(f"not readable CSV: {error}; the lines after it were not read")


def _header_wrong(header: list[str]) -> str:
    """What is wrong with the names of the columns; empty if nothing is."""
    if missing := [name for name in NEEDED if name not in header]:
        return f"the first line must name the columns; there is none called {', '.join(missing)}"
    if twice := sorted({name for name in header if header.count(name) > 1}):
        return f"the first line names a column twice: {', '.join(twice)}"
    return ""


def _cell_values(header: list[str], cells: list[str], note: Note) -> dict[str, Any]:
    given: dict[str, Any] = {name: cell for name, cell in zip(header, cells, strict=True) if cell.strip()}
    if "history" in given:
        try:
            given["history"] = json.loads(given["history"])
        except (ValueError, RecursionError) as error:
            note(f"history is not readable JSON: {error}")
            del given["history"]
    return given


def _refuse_duplicates(rows: list[QuestionRow], problems: Problems) -> tuple[QuestionRow, ...]:
    """The rows; a second one of the same id is noted."""
    first: dict[str, int] = {}
    for row in rows:
        if row.id in first:
            problems.at(row.line)(f"the id {row.id!r} stands on line {first[row.id]} already")
        first.setdefault(row.id, row.line)
    return tuple(rows)
