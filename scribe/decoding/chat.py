"""Messages to token ids in a model's own chat format: the one way, for running and for training.

Control tokens come only from skeleton segments. What a person, a report or a tool wrote is encoded with
special tokens off, so text such as `<|im_end|>` stays text. The ids of a prompt are a prefix of the ids
of the same trajectory one step later, because every turn of the model is cut after the opener.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scribe.decoding.chat_format import FORMATS, ChatFormat
from scribe.messages import OPENER, Message
from scribe.plumbing.errors import ModelFileError

Encode = Callable[[str, bool], list[int]]
"""Text to token ids, without a BOS token; the flag says whether control tokens are recognised in it."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text that is encoded by itself.

    special: control tokens are recognised in it.
    written: the model wrote it, so it is what is learned.
    public: how many of its first characters are the shared prefix, nobody's text.
    closes: a message ends with it.
    """

    text: str
    special: bool
    written: bool = False
    public: int = 0
    closes: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """The ids of a prompt. The first `public` of them are the shared prefix; `ends` says where each message ends."""

    ids: tuple[int, ...]
    public: int
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ChatTokenizer:
    """A model's vocabulary and its chat format."""

    format: ChatFormat
    encode: Encode

    @property
    def end_of_turn(self) -> int:
        """The token with which the model ends its turn."""
        return self.encode(self.format.end_of_turn, True)[0]

    def segments(self, messages: Sequence[Message]) -> tuple[Segment, ...]:
        """A prompt: the messages, then an assistant turn that is open and begins with the opener.

        Where the last message is open already, that is the turn.
        """
        header = _structure(self.format.header("assistant"))
        begun = [message.content for message in messages[-1:] if message.open]
        closed = self._conversation(messages[: len(messages) - len(begun)])
        written = [Segment(content.removeprefix(OPENER), False) for content in begun]
        return (*closed, header, Segment(OPENER, False, public=len(OPENER)), *written)

    def prompt_ids(self, messages: Sequence[Message]) -> list[int]:
        """The ids of the prompt `segments(messages)`."""
        return [token for piece in self.segments(messages) for token in self.encode(piece.text, piece.special)]

    def prompt(self, messages: Sequence[Message]) -> Prompt:
        """The prompt `segments(messages)` as ids, and what of them may be shared."""
        ids: list[int] = []
        ends, public, nobodys = [], 0, True
        for piece in self.segments(messages):
            new = self.encode(piece.text, piece.special)
            if nobodys and piece.public and not piece.special:
                public = len(ids) + self._count_public(piece, new)
            nobodys = nobodys and piece.public >= len(piece.text)
            ids += new
            if piece.closes:
                ends.append(len(ids))
        return Prompt(tuple(ids), public, tuple(ends))

    def labelled(self, messages: Sequence[Message]) -> list[tuple[list[int], bool]]:
        """The ids of a whole conversation in pieces, and whether the model wrote them.

        Written is what follows the opener in assistant messages that begin with it, and the end of that turn.
        Answers of earlier exchanges do not begin with it and are context only. No open turn is added.
        """
        return self._label(self._conversation(messages))

    def labelled_message(self, message: Message) -> list[tuple[list[int], bool]]:
        """The same of one message in the middle of a conversation."""
        return self._label(self._message(message))

    def start_ids(self) -> list[int]:
        """What every prompt begins with, before its first message; often nothing."""
        return self.encode(self.format.prompt_start, True)

    def _label(self, pieces: Iterator[Segment]) -> list[tuple[list[int], bool]]:
        return [(self.encode(piece.text, piece.special), piece.written) for piece in pieces]

    def _conversation(self, messages: Sequence[Message]) -> Iterator[Segment]:
        if self.format.prompt_start:
            yield _structure(self.format.prompt_start)
        for message in messages:
            yield from self._message(message)

    def _message(self, message: Message) -> Iterator[Segment]:
        written = message.role == "assistant" and message.content.startswith(OPENER)
        gap = self.format.turn_gap
        yield _structure(self.format.header(message.role))
        yield from _content(message, written)
        yield _structure(self.format.end_of_turn, written, closes=not gap)
        if gap:
            yield _structure(gap, closes=True)

    def _count_public(self, piece: Segment, ids: Sequence[int]) -> int:
        """How many of the ids lie wholly inside the public characters, so that they tell nothing of the rest."""
        if piece.public >= len(piece.text):
            return len(ids)
        alone = self.encode(piece.text[: piece.public], piece.special)
        pairs = enumerate(zip(alone, ids, strict=False))
        return next((at for at, (one, other) in pairs if one != other), min(len(alone), len(ids)))


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


def _structure(text: str, written: bool = False, closes: bool = False) -> Segment:
    return Segment(text, True, written, len(text), closes)


def _content(message: Message, written: bool) -> Iterator[Segment]:
    """The content, cut after the opener if the model was given it, as a prompt is."""
    if not written:
        yield Segment(message.content, False, public=message.public)
        return
    yield Segment(OPENER, False)
    yield Segment(message.content.removeprefix(OPENER), False, True)
