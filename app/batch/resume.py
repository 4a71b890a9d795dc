"""Whether what an output holds may stay beside what this run would write, and what is left to be answered."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.batch.fingerprints import Fingerprints
from app.batch.output import Output
from app.batch.row import Row
from scribe.errors import UsageError

_WORDS = {
    "model": "the model is another one",
    "settings": "the settings differ",
    "prompts": "the prompts or tools have changed",
    "course": "the course's data have changed",
    "row": "the question, its student or its history is another one under the same id",
}
_REMEDY = "give what they were made with, another --out, or --fresh to answer everything anew"


def check(
    output: Output,
    rows: Sequence[Row],
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
        raise _refused(output, len(strange), f"the input has no such id ({_named(strange)})")
    if any(row.openai != openai for row in output.rows.values()):
        form = "is not" if openai else "is"
        raise UsageError(f"{output.path} {form} in OpenAI's form; give another --out, or --fresh")
    differing: dict[str, list[str]] = {}
    for id, kept in output.rows.items():
        now = fingerprints.of(wanted[id])
        for part in (part for part in _WORDS if kept.fingerprint.get(part) != now[part]):
            differing.setdefault(part, []).append(id)
    if differing:
        reasons = [_reason(part, ids, output, fingerprints, settings, earlier) for part, ids in differing.items()]
        count = len({id for ids in differing.values() for id in ids})
        raise _refused(output, count, "; ".join(reasons))


def left(output: Output, rows: Sequence[Row]) -> list[Row]:
    """The rows that have no line yet."""
    return [row for row in rows if row.id not in output.rows]


def _reason(
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
            return f"{_WORDS[part]} ({_changed(earlier['settings'], settings)})"
        case _:
            return f"{_WORDS[part]} ({_named(ids)})"


def _changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} was {before.get(name)!r} and is {now.get(name)!r}"
        for name in sorted({*before, *now})
        if before.get(name) != now.get(name)
    )


def _named(ids: Sequence[str]) -> str:
    return ", ".join(ids[:3]) + (", …" if len(ids) > 3 else "")


def _refused(output: Output, count: int, why: str) -> UsageError:
    rows = "a row" if count == 1 else f"{count} rows"
    return UsageError(f"{output.path} holds {rows} that cannot stand beside this run's: {why}; {_REMEDY}")
