"""The step from a file of trajectories to those that are learned from.

`OUT` holds the kept records in their order; `OUT.dropped.jsonl` the others, each with the first reason against it, all
further ones, and the record itself.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from data.course import BundleError
from finetune.classroom import list_tools, make_check
from finetune.filtering import rules
from finetune.filtering.rules import Check, Drop
from finetune.filtering.verdicts import load_verdicts
from finetune.settings import FilterSettings, courses_folder
from finetune.step import PipelineStep, StepResult
from scribe import records
from scribe.backends.hf import chat_tokenizer
from scribe.errors import RecordError, UsageError
from scribe.plumbing.files import write_text
from scribe.plumbing.progress import OnProgress
from scribe.records import Record

STEP = "filter"
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class FilteredRecord:
    """One record with all that is wrong with it; none means that it is kept."""

    record: Record
    drops: tuple[Drop, ...]


def make_step(settings: FilterSettings, trajectories: Path, base: Path, out: Path) -> PipelineStep:
    """The step that writes the trajectories that pass to `out`, the others beside it.

    base: a model folder, of which the tokenizer counts. It takes seconds, so a killed run begins anew. Raises
    RecordError naming file and line, UsageError for judgements that cannot be used or if nothing is left to learn from.
    """
    judged = {"judgements": Path(settings.judgements)} if settings.judgements else {}
    inputs = {"trajectories": trajectories, "tokenizer": base / TOKENIZER, **judged}
    return PipelineStep(STEP, STEP, out, inputs, settings, partial(_make, settings, trajectories, base, out))


def dropped_path(out: Path) -> Path:
    """Where the dropped trajectories lie."""
    return out.with_name(f"{out.name}.dropped.jsonl")


def _make(settings: FilterSettings, trajectories: Path, base: Path, out: Path, on_progress: OnProgress) -> StepResult:
    filtered = _filter(trajectories, _list_checks(settings, trajectories, base), on_progress)
    kept = [each.record for each in filtered if not each.drops]
    dropped = [each for each in filtered if each.drops]
    reasons = dict(sorted(Counter(each.drops[0].reason for each in dropped).items()))
    if not kept:
        raise UsageError(f"no trajectory of {trajectories} passes the filter: {reasons or 'it is empty'}")
    write_text(dropped_path(out), "".join(map(_to_line, dropped)))
    records.write(out, kept)  # last, since it is what others look for
    counts = {"rows": len(filtered), "kept": len(kept), "dropped": reasons}
    return StepResult(counts, sorted({record.model.get("name", "") for record in kept}))


def _list_checks(settings: FilterSettings, trajectories: Path, base: Path) -> list[Check]:
    """The wanted checks in the order in which their reasons count."""
    folder = courses_folder(settings.courses)
    checks: list[Check] = [rules.check_tools]
    if settings.grounded:
        checks.append(partial(rules.check_support, find_check=partial(make_check, folder=folder)))
    checks.append(partial(rules.check_mistakes, most=settings.faults))
    if not settings.needless_calls:
        checks.append(rules.check_repeats)
    if settings.max_length or settings.min_answer_length or settings.max_answer_length:
        tools = partial(list_tools, folder=folder)
        checks.append(partial(rules.check_lengths, settings=settings, chat=chat_tokenizer(base), list_tools=tools))
    if settings.judgements:
        checks.append(load_verdicts(Path(settings.judgements), trajectories.stem, settings))
    return checks


def _filter(trajectories: Path, checks: Sequence[Check], on_progress: OnProgress) -> list[FilteredRecord]:
    found, seen = list(records.read(trajectories)), set[str]()
    filtered = []
    for number, record in enumerate(found, start=1):
        if record.id in seen:
            raise RecordError(f"{trajectories}: the id {record.id!r} is there twice; give each trajectory its own")
        seen.add(record.id)
        try:
            drops = _check(record, checks)
        except BundleError as error:
            hint = "name the bundles' folder with [filter] courses"
            raise RecordError(f"{trajectories}: {record.id}: {error}; {hint}") from error
        filtered.append(FilteredRecord(record, drops))
        on_progress(STEP, number, len(found))
    return filtered


def _check(record: Record, checks: Sequence[Check]) -> tuple[Drop, ...]:
    unanswered = rules.check_answered(record)
    if unanswered:
        return (unanswered,)
    return tuple(drop for check in checks if (drop := check(record)))


def _to_line(dropped: FilteredRecord) -> str:
    first, *others = dropped.drops
    content = {
        "id": dropped.record.id,
        "reason": first.reason,
        "detail": first.detail,
        "also": [asdict(each) for each in others],
        "record": asdict(dropped.record),
    }
    return json.dumps(content, ensure_ascii=False) + "\n"
