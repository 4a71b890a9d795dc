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
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.batch import openai_form
from app.batch.rows import NEEDED, Problems, QuestionRow, make_row
from scribe.plumbing.errors import UsageError
from tools.assembly.settings import AnswerSettings

TABLES = (".csv", ".tsv")


@dataclass(frozen=True, slots=True)
class QuestionSheet:
    """The rows of a file in its order, whether they are OpenAI's requests, and the SHA-256 of what was read."""

    rows: tuple[QuestionRow, ...]
    openai: bool
    sha256: str


def read_sheet(path: Path, answer: AnswerSettings, problems: Problems) -> QuestionSheet:
    """The rows that can be made sense of; what is wrong with the others is noted.

    answer: how answers are drawn, which a line of OpenAI's form may ask for too. Raises UsageError for a file that
    cannot be read or holds nothing.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"the questions {path} cannot be read: {error.strerror}") from error
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UsageError(f"{path} is in UTF-16; save it as UTF-8")
    table = path.suffix.lower() in TABLES
    read = _read_table if table else _read_objects
    found = list(read(content.removeprefix(codecs.BOM_UTF8), problems))  # with which some spreadsheets begin UTF-8
    if not found and not problems.found:
        raise UsageError(f"{path} holds no questions")
    openai = not table and any("custom_id" in fields for _, fields in found)
    rows = []
    first: dict[str, int] = {}
    for line, fields in found:
        note = problems.at(line)
        given = openai_form.read_request(fields, answer, note) if openai else fields
        row = None if given is None else make_row(given, line, note)
        if row:
            rows.append(row)
            if first.setdefault(row.id, line) != line:
                note(f"the id {row.id!r} stands on line {first[row.id]} already")
    return QuestionSheet(tuple(rows), openai, hashlib.sha256(content).hexdigest())


def _read_objects(content: bytes, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON object of each line that is not blank, with its number."""
    for number, line in enumerate(content.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            fields = json.loads(line.decode("utf-8"))
        except UnicodeDecodeError:
            problems.at(number)("not readable text; write the file in UTF-8")
        except (ValueError, RecursionError) as error:
            problems.at(number)(f"not readable JSON: {error}")
        else:
            if isinstance(fields, dict):
                yield number, fields
            else:
                problems.at(number)('not a JSON object; write {"id": …, "course": …, "student": …, "question": …}')


def _read_table(content: bytes, problems: Problems) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row of a CSV file without its empty cells, and the line where it begins; a cell may hold line breaks."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        problems.at(content.count(b"\n", 0, error.start) + 1)("not readable text; save the file as UTF-8")
        return
    first = text.splitlines()[0] if text else ""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    line = 1
    try:
        header = [name.strip() for name in next(reader, [])]
        if wrong := _check_header(header):
            problems.at(line)(wrong)
            return
        line = reader.line_num + 1
        for cells in reader:
            if len(cells) == len(header):
                yield line, {name: cell for name, cell in zip(header, cells, strict=True) if cell.strip()}
            elif cells:
                problems.at(line)(f"{len(cells)} cells, but the first line names {len(header)}")
            line = reader.line_num + 1
    except csv.Error as error:
        problems.at(line)(f"not readable CSV: {error}; the lines after it were not read")


def _check_header(header: list[str]) -> str:
    """What is wrong with the names of the columns; empty if nothing is."""
    if missing := [name for name in NEEDED if name not in header]:
        return f"the first line must name the columns; there is none called {', '.join(missing)}"
    if twice := sorted({name for name in header if header.count(name) > 1}):
        return f"the first line names a column twice: {', '.join(twice)}"
    return ""
