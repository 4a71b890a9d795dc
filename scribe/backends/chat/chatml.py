"""ChatML, the chat format of SmolLM2, Qwen and others.

What a tool returned has the role `tool`, not `user`: a role of its own is the only mark that no student can write.
SmolLM2's template takes any role; that it never saw this one costs nothing, since it is trained on our conversations.
"""

from scribe.backends.chat.format import ChatFormat
from scribe.messages import Role


def _write_header(role: Role) -> str:
    return f"<|im_start|>{role}\n"


CHATML = ChatFormat(
    name="ChatML",
    prompt_start="",
    header_token="<|im_start|>",
    header=_write_header,
    end_of_turn="<|im_end|>",
    turn_gap="\n",
)
