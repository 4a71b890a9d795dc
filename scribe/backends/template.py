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
    public: how many of its first characters are nobody's text.
    """

    text: str
    special: bool
    written: bool = False
    public: int = 0


@dataclass(frozen=True, slots=True)
class Prompt:
    """The ids of a prompt. The first `public` of them are nobody's text; `ends` says where each message ends."""

    ids: tuple[int, ...]
    public: int
    ends: tuple[int, ...]


def segments(messages: Sequence[Message]) -> tuple[Segment, ...]:
    """A prompt: the messages, then an assistant turn that is open and begins with the opener."""
    return (*_closed(messages), _structure(_header("assistant")), Segment(OPENER, False, public=len(OPENER)))


def token_ids(messages: Sequence[Message], encode: Encode) -> list[int]:
    """The ids of the prompt `segments(messages)`."""
    return [token for piece in segments(messages) for token in encode(piece.text, piece.special)]


def prompt_of(messages: Sequence[Message], encode: Encode) -> Prompt:
    """The prompt `segments(messages)` as ids, and what of them may be shared. The ids are `token_ids(messages)`."""
    ids: list[int] = []
    ends, public, nobodys = [], 0, True
    for piece in segments(messages):
        new = encode(piece.text, piece.special)
        if nobodys and piece.public and not piece.special:
            public = len(ids) + _inside(piece, new, encode)
        nobodys = nobodys and piece.public >= len(piece.text)
        ids += new
        if piece.special and piece.text == END_OF_TURN:
            ends.append(len(ids))
    return Prompt(tuple(ids), public, tuple(ends))


def labelled(messages: Sequence[Message], encode: Encode) -> list[tuple[list[int], bool]]:
    """The ids of a whole conversation in pieces, and whether the model wrote them.

    Written is what follows the opener in assistant messages that begin with it, and the end of that turn.
    Answers of earlier exchanges do not begin with it and are context only. No open turn is added.
    """
    return [(encode(piece.text, piece.special), piece.written) for piece in _closed(messages)]


def _closed(messages: Iterable[Message]) -> Iterator[Segment]:
    yield _structure(BEGIN)
    for message in messages:
        written = message.role == "assistant" and message.content.startswith(OPENER)
        yield _structure(_header(message.role))
        yield from _content(message, written)
        yield _structure(END_OF_TURN, written)


def _structure(text: str, written: bool = False) -> Segment:
    return Segment(text, True, written, len(text))


def _content(message: Message, written: bool) -> Iterator[Segment]:
    """The content, cut after the opener if the model was given it, as a prompt is."""
    if not written:
        yield Segment(message.content, False, public=message.public)
        return
    yield Segment(OPENER, False)
    yield Segment(message.content.removeprefix(OPENER), False, True)


def _inside(piece: Segment, ids: Sequence[int], encode: Encode) -> int:
    """How many of the piece's ids lie wholly inside its public characters, so that they tell nothing of the rest."""
    if piece.public >= len(piece.text):
        return len(ids)
    alone = encode(piece.text[: piece.public], piece.special)
    pairs = enumerate(zip(alone, ids, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(alone), len(ids)))


def _header(role: Role) -> str:
    return f"<|start_header_id|>{_ROLES[role]}<|end_header_id|>\n\n"
