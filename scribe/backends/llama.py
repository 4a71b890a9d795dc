"""GGUF models in this process, through llama-cpp-python."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from llguidance.llamacpp import lltokenizer_from_vocab

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.backends.decoding import Decoder, require_template
from scribe.backends.fingerprint import fingerprint
from scribe.backends.gguf_model import GgufModel
from scribe.messages import Message


class LlamaBackend:
    """A Llama-3-style GGUF model on the CPU. Raises ModelFileError for a file that is none.

    context: tokens of prompt and answer together, at most what the model was trained for.
    threads: CPU threads; all cores if not given.
    """

    def __init__(self, path: Path | str, context: int = 4096, threads: int | None = None) -> None:
        self._path = Path(path)
        model = GgufModel(self._path, context, threads or os.cpu_count() or 1)
        require_template(model, self._path.name)
        self._decoder = Decoder(model, lltokenizer_from_vocab(model.vocabulary))
        self._model = model

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "llama", "name": self._path.name, "sha256": fingerprint(self._path)}

    @property
    def context(self) -> int:
        """Tokens that fit."""
        return self._model.context

    def encode(self, text: str, special: bool) -> list[int]:
        """Token ids as `scribe.backends.template` wants them."""
        return self._model.encode(text, special)

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
    ) -> Completion:
        return self._decoder.complete(prompt, sampling, constraint, on_text)
