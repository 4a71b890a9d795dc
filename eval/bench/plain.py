"""The plain loop: our agent over llama-cpp-python's `Llama`, one question after the other.

It has its own longest-prefix match with what it read last, and llama.cpp's own sampling. It has no grammar, so that a
turn may be malformed and cost another; nothing of one student is kept when the next one is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import llama_cpp

from eval.bench.frameworks.replaying import Replaying
from eval.bench.reciting import Reciting
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.decoding.generation import measure_room
from scribe.decoding.turn import TurnText
from scribe.gguf.file import GgufFile
from scribe.messages import Message


class Plain(Replaying):
    """`Llama` that writes until it is told to stop. read: tokens of the last prompt that it evaluated."""

    read = 0

    def draw(self, prompt: Sequence[int], sampling: Sampling) -> Iterator[int]:
        """The tokens that it writes. Of the prompt `read` tokens are evaluated for the first."""
        self._given, self._read, self.read = [], 0, 0
        drawn = {"temp": sampling.temperature, "top_p": sampling.top_p, "top_k": 0, "min_p": 0.0}
        for token in self.generate(prompt, **drawn):
            self.read = self.read or self._read
            yield int(token)

    def piece(self, token: int) -> bytes | None:
        """The bytes of a token; None for one that ends a turn."""
        if llama_cpp.llama_vocab_is_eog(self._model.vocab, token):
            return None
        return bytes(self.detokenize([token], special=True))


class PlainBackend:
    """The loop as a backend, for one thread. recited: what to write instead of the model's own, see `reciting`."""

    def __init__(self, path: Path, context: int, threads: int, recited: Reciting | None) -> None:
        self._model = Plain(path, context, threads)
        self._recited = recited
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
        left = measure_room(len(ids), self._model.n_ctx())
        if self._recited is None:
            return self._own(ids, sampling, min(sampling.max_tokens, left))
        said = self._recited.turn(prompt)
        evaluated = self._model.write(ids, said.wrote, len(said.wrote))
        return Completion(said.text, said.finish, len(ids), len(ids) - evaluated, len(said.wrote), token_ids=said.wrote)

    def _own(self, ids: Sequence[int], sampling: Sampling, longest: int) -> Completion:
        """What the model itself writes."""
        turn, wrote, finish = TurnText(None), list[int](), None
        for token in self._model.draw(ids, sampling):
            wrote.append(token)
            data = self._model.piece(token)
            finish = "stop" if data is None else turn.push(data)
            if finish or len(wrote) >= longest:
                break
        cached = len(ids) - self._model.read
        return Completion(turn.text, finish or "length", len(ids), cached, len(wrote), token_ids=tuple(wrote))
