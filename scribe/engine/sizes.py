"""How much an engine holds."""

from dataclasses import dataclass

from scribe.errors import UsageError

MOST_PARALLEL = 100


@dataclass(frozen=True, slots=True)
class Sizes:
    """Chosen for a small machine. Raises UsageError for what cannot be.

    context: tokens of a prompt and its answer together. parallel: requests worked on at once; each takes the memory
    of a whole context. keep_mb: megabytes of what was read and may be of use again. waiting: requests that may wait
    for a place; more are refused.
    """

    context: int = 4096
    parallel: int = 4
    keep_mb: int = 512
    waiting: int = 64

    def __post_init__(self) -> None:
        if not 1 <= self.parallel <= MOST_PARALLEL:
            raise UsageError(f"{self.parallel} conversations at once are not possible; use 1 to {MOST_PARALLEL}")
