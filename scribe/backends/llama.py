"""GGUF models in this process, through llama.cpp: any number of prompts at once, by `scribe.engine`."""

import os
from collections.abc import Sequence
from pathlib import Path

from llguidance.llamacpp import lltokenizer_from_vocab

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.backends.weights import fingerprint
from scribe.engine.engine import Engine, Sizes
from scribe.engine.prefix_files import PrefixFiles
from scribe.gguf.context import LlamaContext
from scribe.gguf.file import GgufFile
from scribe.gguf.native import llama_cpp
from scribe.messages import Message


class LlamaBackend:
    """A GGUF model on the CPU, in its own chat format. Raises ModelFileError for a file that is none.

    context: tokens of prompt and answer together, at most what the model was trained for.
    threads: CPU threads; all cores if not given. parallel, keep_mb, waiting: see `scribe.engine.engine.Sizes`.
    adapter: a LoRA adapter as a GGUF file. prefixes: a folder in which shared prefixes are kept between runs.
    """

    def __init__(
        self,
        path: Path | str,
        context: int = 4096,
        threads: int | None = None,
        parallel: int = 4,
        keep_mb: int = 512,
        waiting: int = 64,
        adapter: Path | str | None = None,
        prefixes: Path | None = None,
    ) -> None:
        files = [Path(path), *([Path(adapter)] if adapter else [])]
        file = GgufFile(files[0])
        self.chat = file.chat()
        sizes = Sizes(min(context, file.trained_context), parallel, keep_mb, waiting)
        cpus = threads or os.cpu_count() or 1
        held = LlamaContext(file, sizes.context, parallel, cpus, Path(adapter) if adapter else None)
        # As of now: who later puts another file in its place does not change what answers until the next start.
        self.info = {"backend": "llama", "name": "+".join(each.name for each in files), "sha256": fingerprint(*files)}
        kept = PrefixFiles(prefixes, self.info | {"llama_cpp": llama_cpp.__version__}) if prefixes else None
        self.engine = Engine(held, self.chat, lltokenizer_from_vocab(file.vocabulary), sizes, kept)

    @property
    def context(self) -> int:
        """Tokens that fit."""
        return self.engine.sizes.context

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        return self.engine.complete(prompt, sampling, constraint, on_text, owner)

    def close(self) -> None:
        """Stop now instead of when it is let go; requests that wait are failed."""
        self.engine.close()
