"""The slots of the context: which are worked on, which are idle, and how a new request begins.

A request begins with what was read before. The next step of a conversation mostly comes at once and goes on where the
last one stands; any other gets a slot of its own and what the prefix cache or another slot holds of its prompt. What
is put out of a slot goes to the prefix cache, as far as it may.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from scribe.decoding.generation import RUN
from scribe.engine.prefix_cache import PrefixCache, PrefixMatch
from scribe.engine.token_sequence import TokenSequence
from scribe.gguf.context import Context, Ids
from scribe.gguf.kv_state import KvState, StateError

WORTH_IT = 16
"""Tokens from which it pays to bring a state back, or to wait for a slot that is reading them."""

OnPublic = Callable[[Ids, list[KvState]], None]

log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Slot:
    """One request's tokens in the context.

    ids: (prompt and longest turn,); those before `known` are known, those before `read` lie in the context.
    cached_tokens: those that did not have to be read.
    idle_since: a count; None while it is worked on.
    """

    number: int
    prompt: TokenSequence
    ids: Ids
    known: int
    read: int = 0
    cached_tokens: int = 0
    idle_since: int | None = None

    @property
    def pending(self) -> int:
        """Known tokens that are not read yet."""
        return self.known - self.read

    @property
    def writes(self) -> bool:
        """Whether the turn is under way: the prompt was read."""
        return self.read >= len(self.prompt.ids)

    def append(self, tokens: list[int]) -> None:
        """Let the turn go on with these, which are not read yet."""
        self.ids[self.known : self.known + len(tokens)] = tokens
        self.known += len(tokens)

    def take_first(self, count: int) -> TokenSequence:
        """Its first tokens, written ones too."""
        return TokenSequence(self.ids[:count], min(self.prompt.public, count), self.prompt.ends, self.prompt.owner)


@dataclass(frozen=True, slots=True)
class SlotStart:
    """How a prompt can begin: with `shared` tokens of the slot `source`, or with what the cache holds (`match`).

    coming: tokens that another slot will have read soon.
    """

    source: Slot | None = None
    shared: int = 0
    match: PrefixMatch = field(default_factory=PrefixMatch)
    coming: int = 0

    @property
    def worth_waiting(self) -> bool:
        """Whether to begin only when another slot has read what both need."""
        return self.coming >= max(self.shared, self.match.end) + WORTH_IT

    @property
    def in_place(self) -> bool:
        """Whether it is best to take over the source, which is idle."""
        idle = self.source is not None and self.source.idle_since is not None
        return idle and self.shared >= self.match.end + WORTH_IT

    @property
    def goes_on(self) -> bool:
        """Whether this is the next step of the source's conversation, after which what it wrote last is of no use."""
        return self.source is not None and self.shared >= len(self.source.prompt.ids) - 1


class Slots:
    """The slots of one context, for the thread that owns it. on_public: gets each new shared prefix."""

    def __init__(self, context: Context, cache: PrefixCache, on_public: OnPublic | None = None) -> None:
        self._context = context
        self._cache = cache
        self._on_public = on_public
        self._time = 0
        self.all: list[Slot | None] = [None] * context.sequences

    def find_start(self, prompt: TokenSequence) -> SlotStart:
        """The best beginning for this prompt."""
        source, shared, coming = None, 0, 0
        last = max(0, len(prompt.ids) - RUN)  # the others are read in any case
        for slot in self.all:
            if slot is None:
                continue
            same = min(slot.take_first(slot.known).count_shared(prompt), last)
            coming = max(coming, same)
            if min(same, slot.read) > shared:
                source, shared = slot, min(same, slot.read)
        match = self._cache.find(prompt)
        return SlotStart(source, shared, PrefixMatch(match.nodes, min(match.end, last)), coming)

    def begin(self, prompt: TokenSequence, longest: int) -> Slot:
        """A slot that begins as well as it can and may grow by `longest`. One must be free."""
        start = self.find_start(prompt)
        ids = np.concatenate([prompt.ids, np.zeros(longest, np.int32)])
        if start.in_place and start.source is not None:
            number, held = start.source.number, start.shared
            if not start.goes_on:
                self._keep(start.source, start.source.read)
            self.all[number] = None
        else:
            number = self._choose_free()
            held = self._fill(number, prompt, start)
        self._context.trim(number, held)
        slot = self.all[number] = Slot(number, prompt, ids, len(prompt.ids), held, held)
        return slot

    def _choose_free(self) -> int:
        """The best slot where nobody works: empty, or next to those who work, or idle for longest."""
        working = [each is not None and each.idle_since is None for each in self.all]

        def rank(number: int) -> tuple[bool, bool, int]:
            idle = self.all[number]
            beside = any(working[max(0, number - 1) : number + 2])
            return idle is not None, not beside, idle.idle_since or 0 if idle else 0

        return min((number for number, busy in enumerate(working) if not busy), key=rank)

    def _fill(self, number: int, prompt: TokenSequence, start: SlotStart) -> int:
        """Put as much of the prompt as can be had into this slot; how many tokens it then holds of it."""
        before, held = self.all[number], 0
        if before is not None:
            self._keep(before, before.read)
            held = min(before.take_first(before.read).count_shared(prompt), max(0, len(prompt.ids) - RUN))
        if start.source is not None and start.shared >= start.match.end + WORTH_IT:
            self._keep(start.source, start.shared)
        # From here on the slot is empty until the new request stands there: whatever fails in between, what one
        # student left in the context must not pass for another's.
        self.all[number] = None
        match = self.find_start(prompt).match
        if match.end < held + WORTH_IT:
            return held
        self._cache.mark_used(match)
        return match.end if self._context.load(number, match.states()) else 0

    def note_read(self, slot: Slot, count: int) -> None:
        """Note that so many more of its tokens were evaluated. A shared prefix is kept at once: everybody needs it."""
        before, slot.read = slot.read, slot.read + count
        public = slot.prompt.public
        shared = slot.take_first(public)
        if before < public <= slot.read and self._cache.find(shared).end < public:
            self._keep(slot, public)
            match = self._cache.find(shared)
            if self._on_public is not None and match.end == public:
                self._on_public(slot.prompt.ids[:public], match.states())

    def release(self, slot: Slot) -> None:
        """Let it be idle: its request is done or was given up."""
        self._time += 1
        slot.known, slot.idle_since = slot.read, self._time

    def clear(self, slot: Slot) -> None:
        """Empty it: what it holds is wrong. Raises BackendError if llama.cpp cannot; `begin` tries again."""
        self.all[slot.number] = None
        self._context.trim(slot.number, 0)

    def _keep(self, slot: Slot, count: int) -> None:
        try:
            self._cache.insert(slot.take_first(count), lambda: self._context.save(slot.number))
        except StateError as error:
            log.warning("what was read is not kept: %s", error)
