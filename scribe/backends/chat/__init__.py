"""Messages to token ids in a model's own chat format: the one way, for running and for training.

`tokenizer` is what all formats share, `llama3` and `chatml` are a format each, `choice` finds a model's own.
"""

from scribe.backends.chat.choice import open_chat
from scribe.backends.chat.format import ChatFormat, Encode
from scribe.backends.chat.tokenizer import ChatTokenizer, Prompt

__all__ = ["ChatFormat", "ChatTokenizer", "Encode", "Prompt", "open_chat"]
