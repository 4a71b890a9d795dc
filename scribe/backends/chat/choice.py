"""Which chat format a model has, from its own chat template and vocabulary."""

from scribe.backends.chat.chatml import CHATML
from scribe.backends.chat.format import ChatFormat, Encode
from scribe.backends.chat.llama3 import LLAMA3
from scribe.backends.chat.tokenizer import ChatTokenizer
from scribe.errors import ModelFileError

FORMATS = (LLAMA3, CHATML)


def open_chat(template: str | None, encode: Encode, model: str) -> ChatTokenizer:
    """The model's tokenizer, writing its own chat format.

    template: the model's chat template, if it has one. It decides where the vocabulary allows more than one format.
    Raises ModelFileError, with the name `model`, if the vocabulary allows none.
    """
    possible = [each for each in FORMATS if _has_control_tokens(each, encode)]
    named = [each for each in possible if template and each.header_token in template and each.end_of_turn in template]
    if not possible:
        needed = ", or ".join(f"{' '.join(each.control_tokens)} ({each.name})" for each in FORMATS)
        raise ModelFileError(f"{model} fits no chat format that is known here: it lacks the control tokens {needed}")
    return ChatTokenizer((named or possible)[0], encode)


def _has_control_tokens(chat_format: ChatFormat, encode: Encode) -> bool:
    """Whether each is one token of the vocabulary, and one that nobody's text can become."""
    return all(
        len(encode(token, True)) == 1 and encode(token, True)[0] not in encode(token, False)
        for token in chat_format.control_tokens
    )
