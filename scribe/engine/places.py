"""The places in the context: which sequences are worked on, which rest, and how a new one begins.

A request begins with what was read before. The next step of a conversation mostly comes at once and goes on where the
last one rests; any other gets a place of its own and what `prefixes` or somebody else's place holds of its prompt.
What is put out of a place is kept in `prefixes`, as far as it may be.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from scribe.engine.context import Context, Ids
from scribe.engine.path import Path
from scribe.engine.prefixes import Found, Prefixes
from scribe.engine.state import State, StateError

WORTH_IT = 16
"""Tokens from which it pays to bring a state back, or to wait for somebody who is reading them."""

OnPublic = Callable[[Ids, list[State]], None]

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Sequence:
    """One request's tokens: those of `ids` before `known` are known, those before `read` lie in the context.

    ids: (prompt and longest turn,). begun: tokens that did not have to be read. rests: since when, as a count; None
    while it is worked on.
    """

    number: int
    path: Path
    ids: Ids
    known: int
    read: int = 0
    begun: int = 0
    rests: int | None = None

    @property
    def pending(self) -> int:
        """Known tokens that are not read yet."""
        return self.known - self.read

    @property
    def writes(self) -> bool:
        """Whether the turn is under way: but for its last token, the prompt was read."""
        return self.read >= len(self.path.ids) - 1

    def append(self, tokens: list[int]) -> None:
        """The turn goes on with these, which are not read yet."""
        self.ids[self.known : self.known + len(tokens)] = tokens
        self.known += len(tokens)

    def so_far(self, count: int) -> Path:
        """The path of its first tokens, written ones too."""
        return Path(self.ids[:count], min(self.path.public, count), self.path.ends, self.path.owner)


@dataclass(frozen=True, slots=True)
class Start:
    """How a prompt can begin: with `shared` tokens of `source`, or with what was `found`.

    coming: tokens that somebody will have read soon.
    """

    source: Sequence | None = None
    shared: int = 0
    found: Found = field(default_factory=Found)
    coming: int = 0

    @property
    def worth_waiting(self) -> bool:
        """Whether to begin only when somebody else has read what both need."""
        return self.coming >= max(self.shared, self.found.end) + WORTH_IT

    @property
    def in_place(self) -> bool:
        """Whether it is best to take the place of the source, which rests."""
        return self.source is not None and self.source.rests is not None and self.shared >= self.found.end + WORTH_IT

    @property
    def goes_on(self) -> bool:
        """Whether this is the next step of the source's conversation, after which what it wrote last is of no use."""
        return self.source is not None and self.shared >= len(self.source.path.ids) - 1


class Places:
    """The places of one context, for the thread that owns it. on_public: told of each new text that is nobody's."""

    def __init__(self, context: Context, prefixes: Prefixes, on_public: OnPublic | None = None) -> None:
        self._context = context
        self._prefixes = prefixes
        self._on_public = on_public
        self._time = 0
        self.taken: list[Sequence | None] = [None] * context.sequences

    def start(self, path: Path) -> Start:
        """The best beginning for this prompt."""
        source, shared, coming = None, 0, 0
        last = len(path.ids) - 1  # it is read in any case, since it gives the logits
        for sequence in self.taken:
            if sequence is None:
                continue
            same = min(sequence.so_far(sequence.known).common(path), last)
            coming = max(coming, same)
            if min(same, sequence.read) > shared:
                source, shared = sequence, min(same, sequence.read)
        found = self._prefixes.find(path)
        return Start(source, shared, Found(found.nodes, min(found.end, last)), coming)

    def begin(self, path: Path, longest: int) -> Sequence:
        """A sequence that begins as well as it can and may grow by `longest`. There must be a free place."""
        start = self.start(path)
        ids = np.concatenate([path.ids, np.zeros(longest, np.int32)])
        if start.in_place and start.source is not None:
            number, held = start.source.number, start.shared
            if not start.goes_on:
                self._keep(start.source, start.source.read)
            self.taken[number] = None
        else:
            number = self._free_place()
            held = self._moved_in(number, path, start)
        self._context.trim(number, held)
        sequence = self.taken[number] = Sequence(number, path, ids, len(path.ids), held, held)
        return sequence

    def _free_place(self) -> int:
        """The best place where nobody works: empty, or next to those who work, or its sequence has rested longest."""
        working = [each is not None and each.rests is None for each in self.taken]

        def rank(number: int) -> tuple[bool, bool, int]:
            rested = self.taken[number]
            beside = any(working[max(0, number - 1) : number + 2])
            return rested is not None, not beside, rested.rests or 0 if rested else 0

        return min((number for number, busy in enumerate(working) if not busy), key=rank)

    def _moved_in(self, number: int, path: Path, start: Start) -> int:
        """Put as much of the path as can be had into this place; how many tokens it then holds of it."""
        before, held = self.taken[number], 0
        if before is not None:
            self._keep(before, before.read)
            held = min(before.so_far(before.read).common(path), len(path.ids) - 1)
        if start.source is not None and start.shared >= start.found.end + WORTH_IT:
            self._keep(start.source, start.shared)
        # From here on the place is nobody's until the new sequence stands there: whatever fails in between, what
        # one student left in the context must not pass for another's.
        self.taken[number] = None
        found = self.start(path).found
        if found.end < held + WORTH_IT:
            return held
        self._prefixes.touch(found)
        return found.end if self._context.load(number, found.states()) else 0

    def note_read(self, sequence: Sequence, count: int) -> None:
        """So many more of its tokens were evaluated. Nobody's text is kept at once, since everybody needs it."""
        before, sequence.read = sequence.read, sequence.read + count
        public = sequence.path.public
        if before < public <= sequence.read and self._prefixes.find(sequence.path.first(public)).end < public:
            self._keep(sequence, public)
            found = self._prefixes.find(sequence.path.first(public))
            if self._on_public is not None and found.end == public:
                self._on_public(sequence.path.ids[:public], found.states())

    def rest(self, sequence: Sequence) -> None:
        """Its request is done or was given up."""
        self._time += 1
        sequence.known, sequence.rests = sequence.read, self._time

    def forget(self, sequence: Sequence) -> None:
        """What it holds is wrong. Raises BackendError if llama.cpp cannot let go of it; `begin` tries again."""
        self.taken[sequence.number] = None
        self._context.trim(sequence.number, 0)

    def _keep(self, sequence: Sequence, count: int) -> None:
        try:
            self._prefixes.insert(sequence.so_far(count), lambda: self._context.save(sequence.number))
        except StateError as error:
            log.warning("what was read is not kept: %s", error)
