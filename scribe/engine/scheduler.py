"""The one thread that owns the context: it lets requests in, evaluates step after step, and hands out the turns."""

import logging
import os
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from typing import Literal

from scribe.backends.writing import Logits
from scribe.engine.context import Context, Piece
from scribe.engine.counters import Counters
from scribe.engine.line import Line
from scribe.engine.places import Places, Sequence
from scribe.engine.prefixes import Prefixes
from scribe.engine.request import Request
from scribe.engine.steps import Steps
from scribe.errors import BackendError, QueueFull

LOOKED_AT = 32
"""Waiting requests among which one is sought that need not wait for a reader."""

log = logging.getLogger(__name__)


class Scheduler:
    """Continuous batching: requests come and go between steps. All but the underscored is for any thread.

    waiting: requests that may wait for a place; more are refused.
    """

    def __init__(self, context: Context, places: Places, prefixes: Prefixes, waiting: int) -> None:
        self._context = context
        self._places = places
        self._prefixes = prefixes
        self._line = Line(waiting)
        self._running: list[Request] = []
        self._steps = Steps()
        self._counters = Counters()
        self._closed = False
        self._process = os.getpid()
        self._changed = threading.Condition()
        # A daemon, so that it keeps no process alive; whoever made us closes us before Python goes.
        self._thread = threading.Thread(target=self._work, name="scribe-engine", daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> None:
        """Let a request wait for its place. Raises QueueFull, or BackendError after `close` or in a fork."""
        if os.getpid() != self._process:
            raise BackendError("the engine belongs to the process before this fork; make a new backend here")
        with self._changed:
            if self._closed:
                raise BackendError("the engine is closed; make a new backend")
            try:
                self._line.add(request)
            except QueueFull:
                self._counters.refused += 1
                raise
            self._counters.requests += 1
            self._changed.notify()

    def leave(self, request: Request) -> None:
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

    def counters(self) -> Counters:
        """What was done up to now."""
        kept = self._prefixes
        with self._changed:
            return replace(
                self._counters,
                running=len(self._running),
                waiting=len(self._line),
                together=self._counters.together.copy(),
                kept_nodes=kept.count,
                kept_bytes=kept.bytes,
                evicted=kept.evicted,
            )

    def _work(self) -> None:
        try:
            while self._has_work():
                self._turn()
        finally:  # whatever happened, nobody may wait for ever
            with self._changed:
                self._closed = True
            self._give_up([*self._running, *self._line], "the engine was closed")

    def _turn(self) -> None:
        try:
            self._admit()
            self._advance()
        except Exception as error:
            log.exception("the engine failed; what it worked on is given up")
            self._give_up(self._running[:], _in_words(error))

    def _has_work(self) -> bool:
        """Wait until there is some; False when closed."""
        with self._changed:
            while not (self._closed or self._running or len(self._line)):
                self._changed.wait()
            return not self._closed

    def _admit(self) -> None:
        """Give free places to those whose turn it is."""
        self._let_go()
        while len(self._running) < self._context.sequences and self._admit_next():
            pass

    def _admit_next(self) -> bool:
        """Let in who is next, or give up who cannot begin; False if nobody can now.

        Not those whose prompt somebody else is reading right now: they begin where he ends.
        """
        with self._changed:
            waiting = list(islice(self._line, LOOKED_AT))
        for request in waiting:
            try:
                if self._places.start(request.path).worth_waiting:
                    continue
                sequence = self._places.begin(request.path, request.writing.longest)
            except Exception as error:
                log.exception("a request could not begin")
                self._give_up([request], _in_words(error))
            else:
                self._begin(request, sequence)
            return True
        return False

    def _begin(self, request: Request, sequence: Sequence) -> None:
        with self._changed:
            self._line.take(request)
            self._running.append(request)
            request.begin(sequence)
            self._counters.prompt_tokens_seen += len(request.path.ids)
            self._counters.prompt_tokens_cached += sequence.begun
            self._counters.queue_seconds += request.queue_seconds

    def _advance(self) -> None:
        """Evaluate one step and let every turn go on."""
        step = self._steps.next(self._running)
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
            self._places.note_read(request.place, len(piece.ids))
            if logits is not None:
                self._write(request, logits)

    def _write(self, request: Request, logits: Logits) -> None:
        """Let a turn go on. What goes wrong in it is its caller's to hear and no other's."""
        try:
            tokens = request.writing.take(logits)
        except Exception as error:
            self._end(request, "failed")
            request.fail(error)
            return
        if tokens:
            request.place.append(tokens)
        else:
            self._end(request, "finished")
            request.finish()

    def _count(self, step: list[tuple[Request, Piece]], seconds: float) -> None:
        prompts = sum(_of_prompt(request, piece) for request, piece in step)
        self._steps.pace.note(prompts, seconds)
        with self._changed:
            self._counters.steps += 1
            self._counters.together[len(step)] += 1
            self._counters.busy_seconds += seconds
            self._counters.prompt_tokens_evaluated += prompts

    def _let_go(self) -> None:
        """Free the places of those whose callers are gone."""
        with self._changed:
            for request in [each for each in self._line if each.cancelled]:
                self._line.take(request, served=False)
                self._counters.cancelled += 1
        for request in [each for each in self._running if each.cancelled]:
            self._end(request, "cancelled")

    def _end(self, request: Request, how: Literal["finished", "failed", "cancelled"]) -> None:
        """Free a place. What was read stays of use."""
        with self._changed:
            self._running.remove(request)
            setattr(self._counters, how, getattr(self._counters, how) + 1)
            self._counters.completion_tokens += len(request.writing.ids)
        self._places.rest(request.place)

    def _give_up(self, requests: Iterable[Request], why: str) -> None:
        """Fail these requests, running or waiting, and forget what was read for them, which may be wrong."""
        running = []
        for request in list(requests):
            with self._changed:
                if request in self._running:
                    self._running.remove(request)
                    running.append(request)
                else:
                    self._line.take(request, served=False)
                self._counters.failed += 1
            request.fail(BackendError(why))
        for request in running:
            try:
                self._places.forget(request.place)
            except BackendError:
                log.exception("a place could not be cleared")


def _of_prompt(request: Request, piece: Piece) -> int:
    """How many of a piece's tokens are of the prompt."""
    return max(0, min(piece.start + len(piece.ids), len(request.path.ids)) - piece.start)


def _in_words(error: Exception) -> str:
    return f"the engine failed ({type(error).__name__}: {error}); the log says where"
