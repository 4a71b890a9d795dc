"""An answer on its way to the screen: whole sentences, and only while the guard finds nothing wrong.

A model's words may not reach a student before `agent.Check` has held them against report and
observations. Waiting for the whole answer would feel slow, so it is released sentence by sentence:
everything said so far is checked whenever a sentence is complete. What is released may still be followed
by a sentence that fails; a model that can go on with what stands does so, else who shows the answer takes it back.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from scribe.agent import Check
from scribe.sentences import answer_in, prefixes
from scribe.trajectory import Trajectory


def carry_on() -> bool:
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
    stopped: Callable[[], bool] = carry_on
    shown: str = ""
    begun: str = ""
    _checked: int = 0
    _raw: list[str] = field(default_factory=list)

    def __call__(self, piece: str) -> bool:
        """Read one more piece; False when the turn is to be cancelled."""
        if self.stopped():
            return False
        self._raw.append(piece)
        ready = next(reversed(prefixes(answer_in(self.begun + "".join(self._raw)))), "")
        if len(ready) > max(len(self.shown), self._checked):
            self._checked = len(ready)
            if not self.check(self.trajectory, ready):
                fresh, self.shown = ready[len(self.shown) :], ready
                self.show(fresh)
        return True
