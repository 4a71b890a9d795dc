"""The one thread that owns the context: it lets requests in, evaluates step after step, and hands out the turns."""

import logging
import os
import threading
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal

from scribe.decoding.generation import Logits
from scribe.engine.prefix_cache import PrefixCache
from scribe.engine.request_queue import RequestQueue, TurnRequest
from scribe.engine.slots import Slot, Slots
from scribe.engine.step_plan import StepPlanner
from scribe.gguf.context import BatchPart, Context
from scribe.plumbing.errors import BackendError, QueueFull

LOOKED_AT = 32
"""Waiting requests among which one is sought that need not wait for a reader."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class EngineCounters:
    """Tokens of prompts: seen = of all requests begun, cached = those of them known already, evaluated = those read.

    completion_tokens: of turns that are over. together: how many steps advanced how many sequences at once.
    busy_seconds: spent evaluating. running and waiting: requests at the moment. kept_bytes, evicted: of the
    prefixes that are kept as bytes.
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
    kept_bytes: int = 0
    evicted: int = 0


class Scheduler:
    """Continuous batching: requests come and go between steps. All but the underscored is for any thread.

    waiting: requests that may wait for a slot; more are refused.
    """

    def __init__(self, context: Context, slots: Slots, cache: PrefixCache, waiting: int) -> None:
        self._context = context
        self._slots = slots
        self._cache = cache
        self._queue = RequestQueue(waiting)
        self._running: list[TurnRequest] = []
        self._planner = StepPlanner()
        self._counters = EngineCounters()
        self._closed = False
        self._process = os.getpid()
        self._changed = threading.Condition()
        # A daemon, so that it keeps no process alive; whoever made us closes us before Python goes.
        self._thread = threading.Thread(target=self._work, name="scribe-engine", daemon=True)
        self._thread.start()

    def submit(self, request: TurnRequest) -> None:
        """Let a request wait for its slot. Raises QueueFull, or BackendError after `close` or in a fork."""
        if os.getpid() != self._process:
            raise BackendError("the engine belongs to the process before this fork; make a new backend here")
        with self._changed:
            if self._closed:
                raise BackendError("the engine is closed; make a new backend")
            try:
                self._queue.add(request)
            except QueueFull:
                self._counters.refused += 1
                raise
            self._counters.requests += 1
            self._changed.notify()

    def leave(self, request: TurnRequest) -> None:
        """The caller is gone: nothing more is done for its request. Harmless if it is finished."""
        with self._changed:
            request.cancelled = True
            self._changed.notify()

    def close(self) -> None:
        """End after the step under way; whoever still waits gets a BackendError. Harmless when closed."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def counters(self) -> EngineCounters:
        """What was done up to now."""
        kept = self._cache
        with self._changed:
            return replace(
                self._counters,
                running=len(self._running),
                waiting=len(self._queue),
                together=self._counters.together.copy(),
                kept_bytes=kept.bytes,
                evicted=kept.evicted,
            )

    def _work(self) -> None:
        try:
            while self._has_work():
                self._step()
        finally:  # whatever happened, nobody may wait for ever
            with self._changed:
                self._closed = True
            self._give_up([*self._running, *self._queue], "the engine was closed")

    def _step(self) -> None:
        try:
            self._admit()
            self._advance()
        except Exception as error:
            log.exception("the engine failed; what it worked on is given up")
            self._give_up(self._running[:], _explain(error))

    def _has_work(self) -> bool:
        """Wait until there is some; False when closed."""
        with self._changed:
            while not (self._closed or self._running or len(self._queue)):
                self._changed.wait()
            return not self._closed

    def _admit(self) -> None:
        """Give free slots to those whose turn it is."""
        self._drop_cancelled()
        while len(self._running) < self._context.sequences and self._admit_next():
            pass

    def _admit_next(self) -> bool:
        """Let in who is next, or give up who cannot begin; False if nobody can now.

        Not those whose prompt somebody else is reading right now: they begin where he ends.
        """
        with self._changed:
            waiting = list(islice(self._queue, LOOKED_AT))
        for request in waiting:
            try:
                if self._slots.find_start(request.prompt).worth_waiting:
                    continue
                slot = self._slots.begin(request.prompt, request.generation.longest)
            except Exception as error:
                log.exception("a request could not begin")
                self._give_up([request], _explain(error))
            else:
                self._begin(request, slot)
            return True
        return False

    def _begin(self, request: TurnRequest, slot: Slot) -> None:
        with self._changed:
            self._queue.remove(request)
            self._running.append(request)
            request.begin(slot)
            self._counters.prompt_tokens_seen += len(request.prompt.ids)
            self._counters.prompt_tokens_cached += slot.cached_tokens
            self._counters.queue_seconds += request.queue_seconds

    def _advance(self) -> None:
        """Evaluate one step and let every turn go on."""
        step = self._planner.plan_step(self._running)
        if not step:
            return
        began = time.perf_counter()
        try:
            rows = self._context.decode([piece for _, piece in step])
        except BackendError as error:
            self._give_up([request for request, _ in step], str(error))
            return
        self._count(step, time.perf_counter() - began)
        for (request, piece), logits in zip(step, rows, strict=True):
            self._slots.note_read(request.slot, len(piece.ids))
            if piece.wants:
                self._write(request, logits[0])

    def _write(self, request: TurnRequest, logits: Logits) -> None:
        """Let a turn go on. What goes wrong in it is its caller's to hear and no other's."""
        try:
            tokens = request.generation.take(logits)
        except Exception as error:
            self._end(request, "failed")
            request.fail(error)
            return
        if tokens:
            request.slot.append(tokens)
        else:
            self._end(request, "finished")
            request.finish()

    def _count(self, step: list[tuple[TurnRequest, BatchPart]], seconds: float) -> None:
        prompts = sum(_count_prompt_tokens(request, piece) for request, piece in step)
        self._planner.pace.note(prompts, seconds)
        with self._changed:
            self._counters.steps += 1
            self._counters.together[len(step)] += 1
            self._counters.busy_seconds += seconds
            self._counters.prompt_tokens_evaluated += prompts

    def _drop_cancelled(self) -> None:
        """Free the slots of those whose callers are gone."""
        with self._changed:
            for request in [each for each in self._queue if each.cancelled]:
                self._queue.remove(request, served=False)
                self._counters.cancelled += 1
        for request in [each for each in self._running if each.cancelled]:
            self._end(request, "cancelled")

    def _end(self, request: TurnRequest, how: Literal["finished", "failed", "cancelled"]) -> None:
        """Free a slot. What was read stays of use."""
        with self._changed:
            self._running.remove(request)
            setattr(self._counters, how, getattr(self._counters, how) + 1)
            self._counters.completion_tokens += len(request.generation.ids)
        self._slots.release(request.slot)

    def _give_up(self, requests: Iterable[TurnRequest], why: str) -> None:
        """Fail these requests, running or waiting, and forget what was read for them, which may be wrong."""
        running = []
        for request in list(requests):
            with self._changed:
                if request in self._running:
                    self._running.remove(request)
                    running.append(request)
                else:
                    self._queue.remove(request, served=False)
                self._counters.failed += 1
            request.fail(BackendError(why))
        for request in running:
            try:
                self._slots.clear(request.slot)
            except BackendError:
                log.exception("a slot could not be cleared")


def _count_prompt_tokens(request: TurnRequest, piece: BatchPart) -> int:
    """How many of a piece's tokens are of the prompt."""
    return max(0, min(piece.start + len(piece.ids), len(request.prompt.ids)) - piece.start)


def _explain(error: Exception) -> str:
    return f"the engine failed ({type(error).__name__}: {error}); the log says where"
