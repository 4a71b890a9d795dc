"""The tiny model of the backends' tests."""

from tests.scribe.backends.conftest import folder, gguf, hf, llama, one_thread, tools

__all__ = ["folder", "gguf", "hf", "llama", "one_thread", "tools"]
