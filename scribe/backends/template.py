"""Messages to token ids in the Llama-3 chat format: the one template, for running and for training.

Control tokens come only from skeleton segments. What a person, a report or a tool wrote is encoded with
special tokens off, so text such as `<|eot_id|>` stays text. The ids of a prompt are a prefix of the ids
of the same trajectory one step later, because every turn of the model is cut after the opener.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from scribe.messages import OPENER, Message, Role

Encode = Callable[[str, bool], list[int]]
"""Text to token ids, without a BOS token; the flag says whether control tokens are recognised in it."""

BEGIN, END_OF_TURN = "<|begin_of_text|>", "<|eot_id|>"
_ROLES: dict[Role, str] = {"system": "system", "user": "user", "assistant": "assistant", "tool": "ipython"}


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text that is encoded by itself.

    special: control tokens are recognised in it. written: the model wrote it, so it is what is learned.
    """

    text: str
    special: bool
    written: bool = False


def segments(messages: Sequence[Message]) -> tuple[Segment, ...]:
    """A prompt: the messages, then an assistant turn that is open and begins with the opener."""
    return (*_closed(messages), Segment(_header("assistant"), True), Segment(OPENER, False))


def token_ids(messages: Sequence[Message], encode: Encode) -> list[int]:
    """The ids of the prompt `segments(messages)`."""
    return [token for piece in segments(messages) for token in encode(piece.text, piece.special)]


def labelled(messages: Sequence[Message], encode: Encode) -> list[tuple[list[int], bool]]:
    """The ids of a whole conversation in pieces, and whether the model wrote them.

    Written is what follows the opener in assistant messages that begin with it, and the end of that turn.
    Answers of earlier exchanges do not begin with it and are context only. No open turn is added.
    """
    return [(encode(piece.text, piece.special), piece.written) for piece in _closed(messages)]


def _closed(messages: Iterable[Message]) -> Iterator[Segment]:
    yield Segment(BEGIN, True)
    for message in messages:
        written = message.role == "assistant" and message.content.startswith(OPENER)
        yield Segment(_header(message.role), True)
        yield from _content(message.content, written)
        yield Segment(END_OF_TURN, True, written)


def _content(text: str, written: bool) -> Iterator[Segment]:
    """The content, cut after the opener if the model was given it, as a prompt is."""
    if not written:
        yield Segment(text, False)
        return
    yield Segment(OPENER, False)
    yield Segment(text.removeprefix(OPENER), False, True)


def _header(role: Role) -> str:
    return f"<|start_header_id|>{_ROLES[role]}<|end_header_id|>\n\n"
