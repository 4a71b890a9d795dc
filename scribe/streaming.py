"""An answer on its way to the screen: whole sentences, and only while the guard finds nothing wrong.

Everything said so far is checked whenever a sentence is complete. What is released may still be followed by a sentence
that fails; a model that can go on with what stands does so, else who shows the answer takes it back.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER, TOOL_CALL
from scribe.trajectory import Trajectory

Check = Callable[[Trajectory, str], Sequence[str]]
"""What of an answer is supported by nothing in the trajectory, in words for the model; empty if all is."""
_END = re.compile(r"(?<=[.!?:])[\"”’)*_]*(?=\s)|(?=\n)")
"""After a stop with white space behind it, so that "3.5" is not cut; or before a line break."""
_NUMBERED = re.compile(r"(?:^|\n)\s*\d+\.$")
"""What ends so holds the number of a list's next item, and not the item."""
_FINISHED = re.compile(r"(?<=[.!?…])[\"”’»)*_]*$")


def never_stop() -> bool:
    """Nobody has asked to stop."""
    return False


@dataclass(slots=True)
class AnswerStream:
    """Takes the raw text of one turn in pieces (`OnText`) and passes on what may be seen.

    show: gets each new piece of the answer. stopped: asked at every piece; True cancels the turn. begun: what the turn
    holds already; shown: what of it is on the screen.
    """

    check: Check
    trajectory: Trajectory
    show: Callable[[str], None]
    stopped: Callable[[], bool] = never_stop
    shown: str = ""
    begun: str = ""
    _checked: int = 0
    _raw: list[str] = field(default_factory=list)

    def __call__(self, piece: str) -> bool:
        """Read one more piece; False when the turn is to be cancelled."""
        if self.stopped():
            return False
        self._raw.append(piece)
        ready = next(reversed(list_prefixes(find_answer(self.begun + "".join(self._raw)))), "")
        if len(ready) > max(len(self.shown), self._checked):
            self._checked = len(ready)
            if not self.check(self.trajectory, ready):
                fresh, self.shown = ready[len(self.shown) :], ready
                self.show(fresh)
        return True


def find_answer(raw: str) -> str:
    """What of a turn is certainly the answer. Without the end of reasoning nothing is certain yet."""
    _, _, rest = raw.partition(END_OF_REASONING)
    _, _, body = rest.partition(FINAL_ANSWER)
    return "" if TOOL_CALL in rest else body.lstrip()


def list_prefixes(answer: str) -> list[str]:
    """The answer up to the end of each of its complete sentences, shortest first; with its end marker, also whole."""
    text, ended, _ = answer.partition(END_OF_FINAL_ANSWER)
    found = [text[: match.end()].rstrip() for match in _END.finditer(text)]
    found = [each for each in found if not _NUMBERED.search(each)]
    return [*found, text.rstrip()] if ended else found


def cut_to_sentences(answer: str) -> str:
    """The answer up to its last sentence that a full stop ends: no heading, no half sentence; perhaps nothing."""
    whole = (each for each in reversed(list_prefixes(answer + END_OF_FINAL_ANSWER)) if _FINISHED.search(each))
    return next(whole, "")
