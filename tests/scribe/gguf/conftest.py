"""The tiny model of the backends' tests."""

from tests.scribe.backends.conftest import folder, gguf, one_thread

__all__ = ["folder", "gguf", "one_thread"]
