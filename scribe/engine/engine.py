"""The engine put together: prompts in from any number of threads, turns out."""

import queue
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llguidance import LLTokenizer

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.decoding.chat import ChatTokenizer
from scribe.decoding.generation import Generation, measure_room
from scribe.decoding.grammar import Grammars
from scribe.decoding.turn import TurnText
from scribe.engine.prefix_cache import PrefixCache
from scribe.engine.prefix_files import PrefixFiles
from scribe.engine.request_queue import News, TurnRequest
from scribe.engine.scheduler import EngineCounters, Scheduler
from scribe.engine.slots import Slots
from scribe.engine.token_sequence import TokenSequence
from scribe.gguf.context import Context
from scribe.gguf.kv_state import KvState
from scribe.messages import Message
from scribe.plumbing.errors import UsageError

MOST_PARALLEL = 100


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much an engine holds; chosen for a small machine. Raises UsageError for what cannot be.

    context: tokens of a prompt and its answer together.
    parallel: requests worked on at once; each takes the memory of a whole context.
    keep_mb: megabytes of what was read and may be of use again.
    waiting: requests that may wait for a slot; more are refused.
    """

    context: int = 4096
    parallel: int = 4
    keep_mb: int = 512
    waiting: int = 64

    def __post_init__(self) -> None:
        if not 1 <= self.parallel <= MOST_PARALLEL:
            raise UsageError(f"{self.parallel} conversations at once are not possible; use 1 to {MOST_PARALLEL}")


class Engine:
    """One model for many conversations at once. Ends with `close`, when it is let go, or when Python exits.

    context: where the model runs; it belongs to the engine from now on.
    files: where shared prefixes are kept on disk.
    """

    def __init__(
        self,
        context: Context,
        chat: ChatTokenizer,
        tokenizer: LLTokenizer,
        sizes: Sizes,
        files: PrefixFiles | None = None,
    ) -> None:
        self.sizes = sizes
        self.cache = PrefixCache(sizes.keep_mb * 1_000_000)
        self._chat = chat
        self._tokenizer = tokenizer
        self._grammars = Grammars(tokenizer)
        self._files = files
        for ids, state in files.load() if files else ():
            self.cache.insert(TokenSequence(ids, len(ids), (), ""), _give(state))
        self.slots = Slots(context, self.cache, files.note if files else None)
        self._scheduler = Scheduler(context, self.slots, self.cache, sizes.waiting)
        weakref.finalize(self, self._scheduler.close)

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None,
        on_text: OnText | None,
        owner: str,
    ) -> Completion:
        """See `scribe.backend.Backend.complete`. `on_text` is called in the caller's thread.

        Raises ContextFull, QueueFull, or UsageError for a constraint of which no grammar can be made.
        """
        tokens = TokenSequence.from_prompt(self._chat.prompt(prompt), owner)
        room = measure_room(len(tokens.ids), self.sizes.context)
        guide = self._grammars.guide(constraint) if constraint is not None else None
        news: News = queue.SimpleQueue()
        turn = TurnText(news.put)
        generation = Generation(turn, self._tokenizer, sampling, guide, min(sampling.max_tokens, room))
        request = TurnRequest(tokens, generation, news)
        self._scheduler.submit(request)
        try:
            return request.result(on_text)
        finally:
            self._scheduler.leave(request)
            if self._files is not None:
                self._files.flush()

    def counters(self) -> EngineCounters:
        """What was done so far."""
        return self._scheduler.counters()

    def close(self) -> None:
        """Stop after the step under way; requests that wait are failed. Harmless when closed."""
        self._scheduler.close()


def _give(state: KvState) -> Callable[[], KvState]:
    return lambda: state
