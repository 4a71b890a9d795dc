"""The engine put together: prompts in from any number of threads, turns out."""

import queue
import weakref
from collections.abc import Sequence
from functools import partial

from llguidance import LLTokenizer

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.backends.chat import ChatTokenizer
from scribe.backends.constraint import Grammars
from scribe.backends.turn import Turn
from scribe.backends.writing import Writing, room
from scribe.engine.context import Context
from scribe.engine.counters import Counters
from scribe.engine.path import Path
from scribe.engine.places import Places
from scribe.engine.prefixes import Prefixes
from scribe.engine.request import News, Request
from scribe.engine.saved import SavedPrefixes
from scribe.engine.scheduler import Scheduler
from scribe.engine.sizes import Sizes
from scribe.engine.state import State
from scribe.messages import Message


class Engine:
    """One model for many conversations at once. Ends with `close`, when it is let go, or when Python exits.

    context: where the model runs; it belongs to the engine from now on. saved: where nobody's text is kept on disk.
    """

    def __init__(
        self,
        context: Context,
        chat: ChatTokenizer,
        tokenizer: LLTokenizer,
        sizes: Sizes,
        saved: SavedPrefixes | None = None,
    ) -> None:
        self.sizes = sizes
        self.prefixes = Prefixes(sizes.keep_mb * 1_000_000)
        self._chat = chat
        self._tokenizer = tokenizer
        self._grammars = Grammars(tokenizer)
        self._saved = saved
        for ids, state in saved.load() if saved else ():
            self.prefixes.insert(Path(ids, len(ids), (), ""), partial(_given, state))
        self.places = Places(context, self.prefixes, saved.keep if saved else None)
        self._scheduler = Scheduler(context, self.places, self.prefixes, sizes.waiting)
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
        path = Path.of(self._chat.prompt(prompt), owner)
        left = room(len(path.ids), self.sizes.context)
        guide = self._grammars.guide(constraint) if constraint is not None else None
        news: News = queue.SimpleQueue()
        longest = min(sampling.max_tokens, left)
        writing = Writing(Turn(news.put), self._tokenizer, sampling, guide, longest)
        request = Request(path, writing, news)
        self._scheduler.submit(request)
        try:
            return request.result(on_text)
        finally:
            self._scheduler.leave(request)
            if self._saved is not None:
                self._saved.flush()

    def counters(self) -> Counters:
        """What was done so far."""
        return self._scheduler.counters()

    def close(self) -> None:
        """Stop after the step under way; requests that wait are failed. Harmless when closed."""
        self._scheduler.close()


def _given(state: State) -> State:
    return state
