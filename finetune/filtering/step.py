"""The step from a file of trajectories to those that are learned from.

`OUT` holds the kept records in their order; `OUT.dropped.jsonl` the others, each with the first reason against it, all
further ones, and the record itself.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from data.course import BundleError
from finetune.classroom import list_tools, make_check
from finetune.conversations.dataset import read_trajectories
from finetune.filtering import rules
from finetune.filtering.rules import Check, Drop
from finetune.settings import FilterSettings, courses_folder
from finetune.step import PipelineStep, StepResult
from scribe import records
from scribe.backends.hf import chat_tokenizer
from scribe.plumbing.errors import RecordError, UsageError
from scribe.plumbing.files import write_text
from scribe.plumbing.progress import OnProgress
from scribe.records import Record

STEP = "filter"
TOKENIZER = "tokenizer.json"


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
    checks, found = _list_checks(settings, trajectories, base), read_trajectories(trajectories)
    kept: list[Record] = []
    dropped: list[tuple[Record, list[Drop]]] = []
    for number, record in enumerate(found, start=1):
        try:
            drops = _check(record, checks)
        except BundleError as error:
            hint = "name the bundles' folder with [filter] courses"
            raise RecordError(f"{trajectories}: {record.id}: {error}; {hint}") from error
        if drops:
            dropped.append((record, drops))
        else:
            kept.append(record)
        on_progress(STEP, number, len(found))
    reasons = dict(sorted(Counter(drops[0].reason for _, drops in dropped).items()))
    if not kept:
        raise UsageError(f"no trajectory of {trajectories} passes the filter: {reasons or 'it is empty'}")
    write_text(dropped_path(out), "".join(_to_line(*each) for each in dropped))
    records.write(out, kept)  # last, since it is what others look for
    counts = {"rows": len(found), "kept": len(kept), "dropped": reasons}
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
    tools = partial(list_tools, folder=folder)
    checks.append(partial(rules.check_lengths, settings=settings, chat=chat_tokenizer(base), list_tools=tools))
    if settings.judgements:
        checks.append(rules.load_verdicts(Path(settings.judgements), trajectories.stem, settings))
    return checks


def _check(record: Record, checks: Sequence[Check]) -> list[Drop]:
    """All that is wrong with a record; of one without an answer that alone."""
    unanswered = rules.check_answered(record)
    return [unanswered] if unanswered else [drop for check in checks if (drop := check(record))]


def _to_line(record: Record, drops: Sequence[Drop]) -> str:
    first, *others = drops
    content = {**asdict(first), "id": record.id, "also": [asdict(each) for each in others], "record": asdict(record)}
    return json.dumps(content, ensure_ascii=False) + "\n"
