"""The plain loop: our agent over llama-cpp-python's `Llama`, one question after the other.

It has its own longest-prefix match with what it read last, and llama.cpp's own sampling. It has no grammar, so a turn
may be malformed and cost another; nothing of one student is kept when the next one is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.backends.gguf_file import GgufFile, has_amx
from scribe.backends.native import llama_cpp
from scribe.backends.turn import Turn
from scribe.backends.writing import room
from scribe.messages import Message


class PlainLoop:
    """The loop as a backend, for one thread."""

    def __init__(self, path: Path, context: int, threads: int) -> None:
        with _extra_buffers_as_ours():
            self._model = _CountingLlama(
                str(path), n_ctx=context, n_threads=threads, n_threads_batch=threads, verbose=False
            )
        self.chat = GgufFile(path).chat()
        self.info: Mapping[str, str] = {"backend": "llama-cpp-python", "name": path.name}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        ids = self.chat.prompt_ids(prompt)
        longest = min(sampling.max_tokens, room(len(ids), self._model.n_ctx()))
        turn, wrote, evaluated = Turn(on_text), list[int](), 0
        finish: Finish | None = None
        self._model.evaluated = 0
        drawn = {"temp": sampling.temperature, "top_p": sampling.top_p, "top_k": 0, "min_p": 0.0}
        for token in self._model.generate(ids, **drawn):
            evaluated = evaluated or self._model.evaluated  # for the first token the rest of the prompt
            wrote.append(int(token))
            ended = llama_cpp.llama_vocab_is_eog(self._model._model.vocab, token)
            finish = "stop" if ended else turn.push(bytes(self._model.detokenize([token], special=True)))
            if finish or len(wrote) >= longest:
                break
        finish = finish or "length"
        return Completion(turn.text, finish, len(ids), len(ids) - evaluated, len(wrote), token_ids=tuple(wrote))


class _CountingLlama(llama_cpp.Llama):  # type: ignore[misc]  # llama_cpp has no types
    """evaluated: tokens that it has read."""

    evaluated = 0

    def eval(self, tokens: Sequence[int]) -> None:
        self.evaluated += len(tokens)
        super().eval(tokens)


@contextmanager
def _extra_buffers_as_ours() -> Iterator[None]:
    """The switch that `Llama` hides, set as `gguf_file` sets it; llama.cpp dies of it on some processors."""
    library = llama_cpp.llama_cpp
    defaults = library.llama_model_default_params

    def adjust() -> Any:
        settings = defaults()
        settings.use_extra_bufts = not has_amx()
        return settings

    library.llama_model_default_params = adjust
    try:
        yield
    finally:
        library.llama_model_default_params = defaults
