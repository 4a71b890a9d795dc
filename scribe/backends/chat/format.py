"""What differs from one chat format to another."""

from collections.abc import Callable
from dataclasses import dataclass

from scribe.messages import Role

Encode = Callable[[str, bool], list[int]]
"""Text to token ids, without a BOS token; the flag says whether control tokens are recognised in it."""


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """How a chat is written: prompt_start, then each message as header, content, end_of_turn, turn_gap.

    name: what people call the format.
    prompt_start: control tokens before the first message; may be empty.
    header_token: the control token that every header begins with.
    header: what stands before a message's content, from its role.
    end_of_turn: the control token behind a message's content, with which a model ends its own.
    turn_gap: text between a message's end and the next header; may be empty.
    """

    name: str
    prompt_start: str
    header_token: str
    header: Callable[[Role], str]
    end_of_turn: str
    turn_gap: str

    @property
    def control_tokens(self) -> tuple[str, ...]:
        """The tokens that a vocabulary must have."""
        return tuple(filter(None, (self.prompt_start, self.header_token, self.end_of_turn)))
