"""A turn while it is written: where it ends, and how it reaches whoever is watching."""

import codecs

from scribe.backend import Finish, OnText
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_TOOL_CALL
from scribe.quotes import MARK

ENDS = (END_OF_TOOL_CALL, END_OF_FINAL_ANSWER)
"""A turn is over right after one of these."""

_LONGEST_END = max(map(len, ENDS))


class TurnText:
    """The text of a turn while it is written: whole characters only, up to the first end marker."""

    def __init__(self, on_text: OnText | None) -> None:
        self.text = ""
        self._on_text = on_text
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    @property
    def quotes(self) -> bool:
        """Whether the line that is being written is a quote."""
        return self.text.rpartition("\n")[2].lstrip().startswith(MARK.strip())

    def push(self, data: bytes) -> Finish | None:
        """Take the bytes of the next token. Says why the turn is over, if it is."""
        return self.add(self._decode(data))

    def add(self, piece: str) -> Finish | None:
        """Take the next characters. Says why the turn is over, if it is."""
        start = max(0, len(self.text) - _LONGEST_END)
        text = self.text + piece
        ends = [at + len(end) for end in ENDS if (at := text.find(end, start)) >= 0]
        new = text[len(self.text) : min(ends, default=len(text))]
        self.text += new
        if new and self._on_text is not None and self._on_text(new) is False:
            return "cancelled"
        return "stop" if ends else None
