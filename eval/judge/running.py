"""One `scribe judge` from its items to what became of them: asked as far as nobody has asked before."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from eval.judge.items import JudgeItem
from eval.judge.judgement import Judgement
from eval.judge.store import Store
from scribe.plumbing.errors import BackendError, ContextFull, RequestRefused, TransientError
from scribe.plumbing.threads import run_in_threads

State = Literal["finished", "interrupted", "stopped"]
"""stopped: by too many items that failed, or by what would fail for all, such as a refused key."""
Ask = Callable[[JudgeItem, Callable[[], bool]], Judgement | None]


@dataclass(slots=True)
class JudgeTally:
    """How far a run is. wanted: items; cached: those that need not be asked; failed: without a judgement."""

    wanted: int
    cached: int = 0
    asked: int = 0
    failed: int = 0
    trouble: str = ""
    verdicts: Counter[str] = field(default_factory=Counter)

    @property
    def left(self) -> int:
        """Items without a judgement, those that failed among them."""
        return self.wanted - self.cached - self.asked


@dataclass(frozen=True, slots=True)
class JudgeOutcome:
    """How a run ended, and what it knows: the judgements in the order of the items."""

    state: State
    tally: JudgeTally
    judgements: tuple[Judgement, ...]


def find_open(items: Sequence[JudgeItem], store: Store, retry_unparsed: bool = False) -> list[JudgeItem]:
    """Find the items to be asked, one of each fingerprint: the same text of the same answer is one request."""
    by_fingerprint = {item.fingerprint: item for item in items}
    known = store.known(by_fingerprint, but_unparsed=retry_unparsed)
    return [item for fingerprint, item in by_fingerprint.items() if fingerprint not in known]


def judge_items(
    items: Sequence[JudgeItem],
    store: Store,
    ask: Ask,
    parallel: int,
    max_errors: int,
    stopped: Callable[[], bool],
    show: Callable[[JudgeTally], None],
    retry_unparsed: bool = False,
) -> JudgeOutcome:
    """Ask what is open and keep each judgement as it comes. More than `max_errors` failures end it."""
    todo = find_open(items, store, retry_unparsed)
    shared = Counter(item.fingerprint for item in items)
    tally = JudgeTally(len(items), cached=len(items) - sum(shared[item.fingerprint] for item in todo))
    fatal = False

    def over() -> bool:
        return stopped() or fatal or tally.failed > max_errors

    def ask_one(item: JudgeItem, left: Callable[[], bool]) -> tuple[JudgeItem, Judgement | BackendError | None]:
        try:
            return item, ask(item, left)
        except BackendError as error:
            return item, error

    for result in run_in_threads(ask_one, todo, parallel, over):
        if result is not None:
            item, outcome = result
            if isinstance(outcome, Judgement):
                store.put(outcome)
                tally.asked += shared[item.fingerprint]
            elif outcome is not None:
                fatal = _count_failure(tally, item, outcome, shared) or fatal
        show(tally)
    kept = tuple(collect_judgements(items, store))
    tally.verdicts.update(each.verdict for each in kept)
    done = not fatal and tally.failed <= max_errors and tally.left <= tally.failed
    return JudgeOutcome("finished" if done else "interrupted" if stopped() else "stopped", tally, kept)


def collect_judgements(items: Sequence[JudgeItem], store: Store) -> Iterator[Judgement]:
    """Collect the judgements that are there, in the order of the items and under their names."""
    for item in items:
        if found := store.get(item.fingerprint):
            case = item.case
            yield replace(found, answer=case.record.id, run=case.run, criterion=item.rubric.id, of=item.of)


def _count_failure(tally: JudgeTally, item: JudgeItem, error: BackendError, shared: Mapping[str, int]) -> bool:
    """Count a failure; whether it would be every item's."""
    tally.failed += shared[item.fingerprint]
    tally.trouble = tally.trouble or f"{item.case.run} {item.case.record.id}, {item.rubric.id}: {error}"
    # One answer may be too long, or trip an endpoint's filter; the others are to be judged all the same.
    return not isinstance(error, TransientError | ContextFull | RequestRefused)
