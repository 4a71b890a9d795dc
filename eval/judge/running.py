"""One `scribe judge` from its items to what became of them: asked as far as nobody has asked before."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from eval.judge.judgement import Judgement
from eval.judge.store import Store
from eval.judge.threads import Ask, judged
from eval.judge.work import Item
from scribe.errors import BackendError, ContextFull, RequestRefused, TransientError

State = Literal["finished", "interrupted", "stopped"]
"""stopped: by too many items that failed, or by what would fail for all, such as a refused key."""


@dataclass(slots=True)
class Tally:
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
class Outcome:
    """How a run ended, and what it knows: the judgements in the order of the items."""

    state: State
    tally: Tally
    judgements: tuple[Judgement, ...]


def open_items(items: Sequence[Item], store: Store, retry_unparsed: bool = False) -> list[Item]:
    """The items that have to be asked, one of each fingerprint: the same text of the same answer is one request."""
    by_print = {item.fingerprint: item for item in items}
    known = store.known(by_print, but_unparsed=retry_unparsed)
    return [item for fingerprint, item in by_print.items() if fingerprint not in known]


def run(
    items: Sequence[Item],
    store: Store,
    ask: Ask,
    parallel: int,
    max_errors: int,
    stopped: Callable[[], bool],
    show: Callable[[Tally], None],
    retry_unparsed: bool = False,
) -> Outcome:
    """Ask what is open and keep each judgement as it comes. More than `max_errors` failures end it."""
    todo = open_items(items, store, retry_unparsed)
    shared = Counter(item.fingerprint for item in items)
    tally = Tally(len(items), cached=len(items) - sum(shared[item.fingerprint] for item in todo))
    fatal = False

    def over() -> bool:
        return stopped() or fatal or tally.failed > max_errors

    for outcome in judged(ask, todo, parallel, over):
        if outcome is not None:
            item, made = outcome
            if isinstance(made, Judgement):
                store.put(made)
                tally.asked += shared[item.fingerprint]
            else:
                fatal = _failed(tally, item, made, shared) or fatal
        show(tally)
    kept = tuple(stored(items, store))
    tally.verdicts.update(each.verdict for each in kept)
    done = not fatal and tally.failed <= max_errors and tally.left <= tally.failed
    return Outcome("finished" if done else "interrupted" if stopped() else "stopped", tally, kept)


def stored(items: Sequence[Item], store: Store) -> Iterator[Judgement]:
    """The judgements that are there, in the order of the items and under their names."""
    for item in items:
        if found := store.get(item.fingerprint):
            case = item.case
            yield replace(found, answer=case.record.id, run=case.run, criterion=item.rubric.id, of=item.of)


def _failed(tally: Tally, item: Item, error: BackendError, shared: Mapping[str, int]) -> bool:
    """Count a failure; whether it would be every item's."""
    tally.failed += shared[item.fingerprint]
    tally.trouble = tally.trouble or f"{item.case.run} {item.case.record.id}, {item.rubric.id}: {error}"
    # One answer may be too long, or trip an endpoint's filter; the others are to be judged all the same.
    return not isinstance(error, TransientError | ContextFull | RequestRefused)
