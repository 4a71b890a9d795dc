"""The step from a file of trajectories to those that are learned from.

`OUT` holds the kept records in their order; `OUT.dropped.jsonl` the others, each with the first reason against it, all
further ones, and the record itself.
"""

import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from data.bundle import COURSES
from data.catalogue import load_catalogue
from data.course import BundleError, Course
from finetune import bundles, manifest
from finetune.filtering import rules, verdicts
from finetune.filtering.drop import Check, Drop
from finetune.filtering.lengths import Lengths
from finetune.filtering.settings import FilterSettings
from finetune.manifest import Tell, quiet
from finetune.whole import written
from scribe import records
from scribe.backends.hf import chat_tokenizer
from scribe.errors import RecordError, UsageError
from scribe.grounding import Grounding
from scribe.records import Record
from tools.conversation.lexicon import make_lexicon
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

STEP = "filter"
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class Sifted:
    """One record with all that is wrong with it; none means that it is kept."""

    record: Record
    drops: tuple[Drop, ...]


def inputs(settings: FilterSettings, trajectories: Path, base: Path) -> dict[str, Path]:
    """What the step reads, by name."""
    judged = {"judgements": Path(settings.judgements)} if settings.judgements else {}
    return {"trajectories": trajectories, "tokenizer": base / TOKENIZER, **judged}


def run(settings: FilterSettings, trajectories: Path, base: Path, out: Path, tell: Tell = quiet) -> None:
    """Write the trajectories that pass to `out`, the others beside it; nothing where that is done.

    base: a model folder, of which the tokenizer counts. It takes seconds, so a killed run begins anew. Raises
    RecordError naming file and line, UsageError for judgements that cannot be used or if nothing is left to learn from.
    """
    given = inputs(settings, trajectories, base)
    if manifest.is_done(out, STEP, given, settings):
        return
    began = time.monotonic()
    checks = _checks(settings, trajectories, base)
    sifted = _sifted(trajectories, checks, tell)
    told = counts(sifted)
    if not told["kept"]:
        raise UsageError(f"no trajectory of {trajectories} passes the filter: {told['dropped'] or 'it is empty'}")
    _write(out, sifted)
    manifest.finish(out, STEP, given, settings, told, time.monotonic() - began, models(sifted))


def beside(out: Path) -> Path:
    """Where the dropped trajectories lie."""
    return out.with_name(f"{out.name}.dropped.jsonl")


def counts(sifted: Sequence[Sifted]) -> dict[str, Any]:
    """Rows, those kept, and those dropped by their first reason."""
    kept = [each.record for each in sifted if not each.drops]
    return {
        "rows": len(sifted),
        "kept": len(kept),
        "dropped": dict(sorted(Counter(each.drops[0].reason for each in sifted if each.drops).items())),
    }


def models(sifted: Iterable[Sifted]) -> list[str]:
    """What answered the records that are kept."""
    return sorted({each.record.model.get("name", "") for each in sifted if not each.drops})


def _checks(settings: FilterSettings, trajectories: Path, base: Path) -> list[Check]:
    """The wanted checks in the order in which their reasons count."""
    folder = Path(settings.courses) if settings.courses else COURSES
    # Once for each course: to look whether its hundreds of files changed takes longer than all checks of a record.
    course = cache(partial(bundles.course, folder=folder))
    checks: list[Check] = [rules.within_training]
    if settings.grounded:
        checks.append(partial(rules.supported, check=cache(lambda name: _grounding(course(name)))))
    checks.append(partial(rules.without_needless_faults, most=settings.faults))
    if not settings.needless_calls:
        checks.append(rules.without_needless_calls)
    limits = settings.longest, settings.shortest_answer, settings.longest_answer
    if any(limits):
        checks.append(Lengths(chat_tokenizer(base), cache(lambda name: _listing(course(name))), *limits))
    if settings.judgements:
        given = settings.judge, settings.criteria, settings.repeats
        checks.append(verdicts.load(Path(settings.judgements), trajectories.stem, *given))
    return checks


def _sifted(trajectories: Path, checks: Sequence[Check], tell: Tell) -> list[Sifted]:
    found, seen = list(records.read(trajectories)), set[str]()
    sifted = []
    for number, record in enumerate(found, start=1):
        if record.id in seen:
            raise RecordError(f"{trajectories}: the id {record.id!r} is there twice; give each trajectory its own")
        seen.add(record.id)
        sifted.append(_of(record, checks, f"{trajectories}: {record.id}"))
        tell(STEP, number, len(found))
    return sifted


def _of(record: Record, checks: Sequence[Check], where: str) -> Sifted:
    unanswered = rules.answered(record)
    if unanswered:
        return Sifted(record, (unanswered,))
    try:
        return Sifted(record, tuple(found for check in checks if (found := check(record))))
    except BundleError as error:
        raise RecordError(f"{where}: {error}; name the bundles' folder with [filter] courses") from error


def _write(out: Path, sifted: Sequence[Sifted]) -> None:
    """The kept ones last, since they are what others look for."""
    with written(beside(out)) as path, path.open("w", encoding="utf-8") as file:
        file.writelines(_line(each) for each in sifted if each.drops)
    records.write(out, (each.record for each in sifted if not each.drops))


def _line(dropped: Sifted) -> str:
    first, *others = dropped.drops
    told = {"id": dropped.record.id, "reason": first.reason, "detail": first.detail}
    also = [asdict(each) for each in others]
    return json.dumps({**told, "also": also, "record": asdict(dropped.record)}, ensure_ascii=False) + "\n"


def _grounding(course: Course) -> Grounding:
    return Grounding(make_lexicon(course, load_catalogue()))


def _listing(course: Course) -> str:
    """How the tools are listed, which is the same for all students of a course."""
    return make_toolbox(course, next(iter(course.students)), VectorStore(MiniLM())).listing
