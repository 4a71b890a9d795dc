"""An answer on its way to the screen: whole sentences, and only while the guard finds nothing wrong.

A model's words may not reach a student before `agent.Check` has held them against report and
observations. Waiting for the whole answer would feel slow, so it is released sentence by sentence:
everything said so far is checked whenever a sentence is complete. What is released may still be followed
by a sentence that fails; then the loop refuses the whole answer, and who shows it takes it back.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from scribe.agent import Check
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER, TOOL_CALL
from scribe.trajectory import Trajectory

_SENTENCE_END = re.compile(r"(?<=[.!?:])[\"”’)*_]*(?=\s)|(?=\n)")
"""After a stop with white space behind it, so that "3.5" is not cut; or before a line break."""


def carry_on() -> bool:
    """Nobody has asked to stop."""
    return False


@dataclass(slots=True)
class AnswerStream:
    """Takes the raw text of one turn in pieces (`OnText`) and passes on what may be seen.

    show: gets each new piece of the answer. stopped: asked at every piece; True cancels the turn.
    """

    check: Check
    trajectory: Trajectory
    show: Callable[[str], None]
    stopped: Callable[[], bool] = carry_on
    shown: str = ""
    _raw: list[str] = field(default_factory=list)

    def __call__(self, piece: str) -> bool:
        """Read one more piece; False when the turn is to be cancelled."""
        if self.stopped():
            return False
        self._raw.append(piece)
        ready = _complete(_answer_in("".join(self._raw)))
        if len(ready) > len(self.shown) and not self.check(self.trajectory, ready):
            fresh, self.shown = ready[len(self.shown) :], ready
            self.show(fresh)
        return True


def _answer_in(raw: str) -> str:
    """What of the turn is certainly the answer. Without the end of reasoning nothing is certain yet."""
    _, _, rest = raw.partition(END_OF_REASONING)
    _, _, body = rest.partition(FINAL_ANSWER)
    return "" if TOOL_CALL in rest else body.lstrip()


def _complete(answer: str) -> str:
    """The answer up to the end of its last complete sentence."""
    text, ended, _ = answer.partition(END_OF_FINAL_ANSWER)
    if ended:
        return text.rstrip()
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    return text[: ends[-1]].rstrip() if ends else ""
