"""The chat format of Llama 3, 3.1 and 3.2, which calls what a tool returned `ipython`."""

from scribe.backends.chat.format import ChatFormat
from scribe.messages import Role


def _write_header(role: Role) -> str:
    return f"<|start_header_id|>{'ipython' if role == 'tool' else role}<|end_header_id|>\n\n"


LLAMA3 = ChatFormat(
    name="Llama 3",
    prompt_start="<|begin_of_text|>",
    header_token="<|start_header_id|>",
    header=_write_header,
    end_of_turn="<|eot_id|>",
    turn_gap="",
)
