"""What came of many conversations at once: counts, delays and memory, and how they are told."""

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from eval.bench.streams import Delays, Streams

HEAD = ("seconds", "count", "median", "99 of 100", "longest")
DELAYS = ("first token of a turn", "between tokens", "first words of the answer", "whole answer")


@dataclass(frozen=True, slots=True)
class Sample:
    """Memory so many seconds after the beginning, in MB: of the process, and what the engine keeps."""

    seconds: float
    process: float
    kept: float
    waiting: int

    @property
    def rest(self) -> float:
        return self.process - self.kept


@dataclass(slots=True)
class Load:
    """What came of it. words: from a question to the first words of its answer on the page. whole: to its end."""

    streams: Streams
    conversations: int
    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    trouble: str = ""
    words: Delays = field(default_factory=Delays)
    whole: Delays = field(default_factory=Delays)
    samples: list[Sample] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, outcome: str, words: float | None, whole: float, trouble: str = "") -> None:
        """A question is over. words, whole: seconds."""
        with self._lock:
            self.outcomes[outcome] += 1
            self.trouble = self.trouble or trouble
            self.whole.add(whole)
            if words is not None:
                self.words.add(words)

    def numbers(self) -> dict[str, Any]:
        """Seconds, megabytes and counts."""
        asked = sum(self.outcomes.values())
        return {
            "conversations": self.conversations,
            "seconds": round(self.seconds, 1),
            "questions": asked,
            "questions a minute": round(60 * asked / self.seconds, 1),
            "outcomes": dict(self.outcomes),
            "first trouble": self.trouble,
            "tokens a second": round(self.streams.tokens / self.seconds, 1),
            "first token of a turn": self.streams.firsts.numbers(),
            "between tokens": self.streams.gaps.numbers(),
            "first words of the answer": self.words.numbers(),
            "whole answer": self.whole.numbers(),
            "memory": [[round(s.seconds), round(s.process, 1), round(s.kept, 1), s.waiting] for s in self.samples],
        }

    def rows(self) -> list[list[str]]:
        """A row for each kind of delay, in seconds."""
        numbers = self.numbers()
        return [[kind, *(f"{number:g}" for number in numbers[kind].values())] for kind in DELAYS]

    def notes(self) -> list[str]:
        """What was asked and how it ended, and the memory as a table."""
        numbers = self.numbers()
        ends = ", ".join(f"{many} {outcome}" for outcome, many in self.outcomes.most_common())
        rates = f"{numbers['questions a minute']:g} questions a minute, {numbers['tokens a second']:g} tokens a second"
        trouble = f" The first that failed: {self.trouble}." if self.trouble else ""
        lines = ["| after s | MB of the process | of these kept on purpose | the rest | requests waiting |"]
        lines += ["|---|---|---|---|---|"]
        lines += [
            f"| {each.seconds:.0f} | {each.process:.0f} | {each.kept:.0f} | {each.rest:.0f} | {each.waiting} |"
            for each in self.samples
        ]
        return [f"{ends}; {rates}.{trouble}", "\n".join(lines)]
