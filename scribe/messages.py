"""What is said to a model: messages with a role, and the markers of the format."""

import re
from dataclasses import dataclass
from typing import Literal

from scribe.lookalikes import replace_spelled

Role = Literal["system", "user", "assistant", "tool"]

REASONING, END_OF_REASONING = "[REASONING]", "[END_OF_REASONING]"
TOOL_CALL, END_OF_TOOL_CALL = "[TOOL_CALL]", "[END_OF_TOOL_CALL]"
FINAL_ANSWER, END_OF_FINAL_ANSWER = "[FINAL_ANSWER]", "[END_OF_FINAL_ANSWER]"
ERROR_NOTICE, END_OF_ERROR_NOTICE = "[ERROR_NOTICE]", "[/ERROR_NOTICE]"

OPENER = REASONING
"""Every assistant turn is opened with this, so that reasoning always comes first."""

_MARKER = re.compile(r"\[\s*/?\s*(?:END_OF_)?(?:REASONING|TOOL_CALL|FINAL_ANSWER|ERROR_NOTICE)\s*\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `tool` carries what a tool returned.

    `public` is how many leading characters of the content are nobody's text, the same for every student: what a
    model has read of them may be used again for anyone. `open`: an assistant's last message that the model writes on.
    """

    role: Role
    content: str
    public: int = 0
    open: bool = False


def escape_markers(text: str) -> str:
    """JSON text that says the same without a marker of ours: inside its strings `[` can be written `\\u005b`."""
    return _MARKER.sub(lambda marker: f"\\u005b{marker[0][1:]}", text)


def defuse(text: str) -> str:
    """Text from a student, a report or a tool with our markers made harmless, however spelled: `[X]` becomes `(X)`."""
    return replace_spelled(_MARKER, lambda marker: f"({marker[1:-1].strip()})", text)
