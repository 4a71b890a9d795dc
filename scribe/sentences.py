"""The sentences of an answer that is still being written, found in the raw text of its turn."""

import re

from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER, TOOL_CALL

_END = re.compile(r"(?<=[.!?:])[\"”’)*_]*(?=\s)|(?=\n)")
"""After a stop with white space behind it, so that "3.5" is not cut; or before a line break."""
_NUMBERED = re.compile(r"(?:^|\n)\s*\d+\.$")
"""What ends so holds the number of a list's next item, and not the item."""
_FINISHED = re.compile(r"(?<=[.!?…])[\"”’»)*_]*$")


def answer_in(raw: str) -> str:
    """What of a turn is certainly the answer. Without the end of reasoning nothing is certain yet."""
    _, _, rest = raw.partition(END_OF_REASONING)
    _, _, body = rest.partition(FINAL_ANSWER)
    return "" if TOOL_CALL in rest else body.lstrip()


def prefixes(answer: str) -> list[str]:
    """The answer up to the end of each of its complete sentences, shortest first; with its end marker, also whole."""
    text, ended, _ = answer.partition(END_OF_FINAL_ANSWER)
    found = [text[: match.end()].rstrip() for match in _END.finditer(text)]
    found = [each for each in found if not _NUMBERED.search(each)]
    return [*found, text.rstrip()] if ended else found


def finished(answer: str) -> str:
    """The answer up to its last sentence that a full stop ends: no heading, no half sentence; perhaps nothing."""
    whole = (each for each in reversed(prefixes(answer + END_OF_FINAL_ANSWER)) if _FINISHED.search(each))
    return next(whole, "")
