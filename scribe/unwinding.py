"""A call whose last text runs in a circle is cut where it begins to: what stands before it may still do."""

import re

from scribe.messages import END_OF_TOOL_CALL, TOOL_CALL

_OPEN = re.compile(
    re.escape(TOOL_CALL) + r'\{"name": "\w+", "arguments": \{(?:"\w+": (?:"[^"]*"|\d+), )*"\w+": "(?P<text>[^"\\]*)$'
)


def unwound(raw: str) -> str:
    """The turn with its one open call closed before a word comes a second time; empty if it ends in no open call."""
    found = _OPEN.search(raw)
    if found is None:
        return ""
    kept: list[str] = []
    for word in found["text"].split():
        if word in kept:
            break
        kept.append(word)
    return f'{raw[: found.start("text")]}{" ".join(kept)}"}}}}{END_OF_TOOL_CALL}' if kept else ""
