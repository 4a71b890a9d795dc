"""What the engine has done so far, in numbers."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Counters:
    """Tokens of prompts: seen = of all requests begun, cached = those of them known already, evaluated = those read.

    completion_tokens: of turns that are over. together: how many steps advanced how many sequences at once.
    busy_seconds: spent evaluating. running and waiting: requests at the moment. kept_nodes, kept_bytes, evicted: of
    the prefixes that are kept as bytes.
    """

    requests: int = 0
    running: int = 0
    waiting: int = 0
    finished: int = 0
    cancelled: int = 0
    failed: int = 0
    refused: int = 0
    prompt_tokens_seen: int = 0
    prompt_tokens_cached: int = 0
    prompt_tokens_evaluated: int = 0
    completion_tokens: int = 0
    steps: int = 0
    together: Counter[int] = field(default_factory=Counter)
    busy_seconds: float = 0.0
    queue_seconds: float = 0.0
    kept_nodes: int = 0
    kept_bytes: int = 0
    evicted: int = 0

    @property
    def tokens_per_second(self) -> float:
        """Tokens written for each second of evaluating; 0 before the first."""
        return self.completion_tokens / self.busy_seconds if self.busy_seconds else 0.0
