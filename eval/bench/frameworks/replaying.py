"""llama-cpp-python's `Llama`, made to say what it is told: every token is read, drawn and evaluated all the same."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llama_cpp

from scribe.errors import ContextFull
from scribe.gguf import file as gguf_file


class Replaying(llama_cpp.Llama):  # type: ignore[misc]  # llama_cpp has no types
    """A model with its own prefix match, as it comes; of what it draws, the first tokens are replaced by given ones."""

    def __init__(self, path: Path, context: int, threads: int) -> None:
        self._given: list[int] = []
        self._read = 0
        with _extra_buffers_as_ours():
            super().__init__(str(path), n_ctx=context, n_threads=threads, n_threads_batch=threads, verbose=False)

    def eval(self, tokens: Sequence[int]) -> None:
        """As it comes, counted."""
        self._read += len(tokens)
        super().eval(tokens)

    def sample(self, *settings: Any, **named: Any) -> int:
        """What is given next; it is drawn all the same."""
        drawn = super().sample(*settings, **named)
        return self._given.pop(0) if self._given else int(drawn)

    def encode(self, text: str) -> list[int]:
        """Token ids; control tokens are recognised, as servers do it."""
        return [int(token) for token in self.tokenize(text.encode(), add_bos=False, special=True)]

    def write(self, prompt: Sequence[int], given: Sequence[int], count: int) -> int:
        """Write `count` tokens behind the prompt, the given ones first; return how many of the prompt were evaluated.

        Raises ContextFull.
        """
        if len(prompt) + count > self.n_ctx():
            raise ContextFull(len(prompt), self.n_ctx())
        self._given, self._read = list(given[:count]), 0
        turn = self.generate(prompt, temp=0.0)
        next(turn)
        evaluated = self._read
        for _ in zip(range(count - 1), turn, strict=False):
            pass
        return evaluated


@contextmanager
def _extra_buffers_as_ours() -> Iterator[None]:
    """The switch that `Llama` hides, set as `gguf_file` sets it; llama.cpp dies of it on some processors."""
    library = llama_cpp.llama_cpp
    defaults = library.llama_model_default_params

    def adjusted() -> Any:
        settings = defaults()
        settings.use_extra_bufts = not gguf_file.has_amx()
        return settings

    library.llama_model_default_params = adjusted
    try:
        yield
    finally:
        library.llama_model_default_params = defaults
