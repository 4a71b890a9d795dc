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
_NEAR = 30
"""Letters of an end that are looked at: a number and its indentation, or closing quotes, are shorter."""
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
        ready = find_last_prefix(find_answer(self.begun + "".join(self._raw)))
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
    return [answer[:end] for end in _list_ends(answer)]


def find_last_prefix(answer: str) -> str:
    """The longest of them; nothing if there is none."""
    ends = _list_ends(answer)
    return answer[: ends[-1]] if ends else ""


def _list_ends(answer: str) -> list[int]:
    """Where the prefixes end. Each letter is looked at once, or a model's server could hold us up with line breaks."""
    text, ended, _ = answer.partition(END_OF_FINAL_ANSWER)
    found: list[int] = []
    seen = end = 0
    for match in _END.finditer(text):
        more = text[seen : match.end()].rstrip()
        end, seen = seen + len(more) if more else end, match.end()
        near = max(0, end - _NEAR)
        numbered = _NUMBERED.search(text[near:end] if not near else f"-{text[near:end]}")
        if not numbered and (not found or found[-1] != end):
            found.append(end)
    return [*found, len(text.rstrip())] if ended else found


def cut_to_sentences(answer: str) -> str:
    """The answer up to its last sentence that a full stop ends: no heading, no half sentence; perhaps nothing."""
    whole = (each for each in reversed(list_prefixes(answer + END_OF_FINAL_ANSWER)) if _FINISHED.search(each[-_NEAR:]))
    return next(whole, "")
