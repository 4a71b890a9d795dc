"""The chat formats of model families: what differs from one to another."""

from collections.abc import Callable
from dataclasses import dataclass

from scribe.messages import Role


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


def _write_chatml_header(role: Role) -> str:
    return f"<|im_start|>{role}\n"


def _write_llama3_header(role: Role) -> str:
    return f"<|start_header_id|>{'ipython' if role == 'tool' else role}<|end_header_id|>\n\n"


CHATML = ChatFormat("ChatML", "", "<|im_start|>", _write_chatml_header, "<|im_end|>", "\n")
"""The format of SmolLM2, Qwen and others.

What a tool returned has the role `tool`, not `user`: a role of its own is the only mark that no student can write.
SmolLM2 never saw this role, which costs nothing, since it is trained on our conversations.
"""

LLAMA3 = ChatFormat("Llama 3", "<|begin_of_text|>", "<|start_header_id|>", _write_llama3_header, "<|eot_id|>", "")
"""The format of Llama 3, 3.1 and 3.2, which calls what a tool returned `ipython`."""

FORMATS = (LLAMA3, CHATML)
