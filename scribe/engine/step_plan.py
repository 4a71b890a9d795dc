"""What one step evaluates: a token for every turn under way, and a piece of the prompts that are being read."""

from collections.abc import Sequence

from scribe.decoding.generation import RUN
from scribe.engine.request_queue import TurnRequest
from scribe.gguf.context import BatchPart
from scribe.gguf.file import BATCH

GAP, ALONE = 0.25, 1.0
"""Seconds that a step may read prompts: when turns are under way, which wait for it, and when none is."""
LEAST = 16
"""Tokens of a prompt that are read in a step however slow the model is."""


class ReadingPace:
    """How fast prompts are read, and so how many tokens of them fit in a step."""

    def __init__(self) -> None:
        self._seconds_per_token = 0.0

    def budget(self, writing: int) -> int:
        """Tokens of prompts for the next step, beside so many turns under way."""
        room = BATCH - writing
        if not self._seconds_per_token:
            return room
        return min(room, max(LEAST, int((GAP if writing else ALONE) / self._seconds_per_token)))

    def note(self, tokens: int, seconds: float) -> None:
        """A step that read so many tokens of prompts took so long."""
        if tokens >= LEAST:
            now = seconds / tokens
            self._seconds_per_token += 0.3 * (now - self._seconds_per_token) if self._seconds_per_token else now


class StepPlanner:
    """Puts steps together, fairly: of the owners whose prompts are being read the one read longest ago goes first."""

    def __init__(self) -> None:
        self.pace = ReadingPace()
        self._served: dict[str, int] = {}
        self._count = 0

    def plan_step(self, running: Sequence[TurnRequest]) -> list[tuple[TurnRequest, BatchPart]]:
        """The pieces of the next step, at most `BATCH` tokens in all."""
        self._count += 1
        writing = [request for request in running if request.slot.writes]
        reading = [request for request in running if not request.slot.writes]
        step = _plan_turns(writing)
        left = self.pace.budget(sum(len(piece.ids) for _, piece in step))
        self._served = {r.prompt.owner: self._served.get(r.prompt.owner, 0) for r in reading}
        for request in sorted(reading, key=lambda request: self._served[request.prompt.owner]):
            pending = request.slot.pending
            count = pending if pending <= left else min(left, pending - RUN)  # never fewer are left than a run
            if count < min(RUN, pending):
                continue
            piece = _take_part(request, count)
            step.append((request, piece))
            left -= len(piece.ids)
            self._served[request.prompt.owner] = self._count
        return sorted(step, key=lambda each: each[1].sequence)  # neighbours are evaluated together


def _plan_turns(writing: Sequence[TurnRequest]) -> list[tuple[TurnRequest, BatchPart]]:
    """One token of each turn under way, or a whole run that the grammar dictated.

    Beside other turns a run is a pass over the weights for itself, which costs about as much as two tokens do; but
    whoever waits for a run of a dozen one by one waits for a dozen steps.
    """
    room = BATCH - len(writing)
    step = []
    for request in writing:
        count = min(request.slot.pending, 1 + room) if request.slot.pending >= RUN else 1
        room -= count - 1
        step.append((request, _take_part(request, count)))
    return step


def _take_part(request: TurnRequest, count: int) -> BatchPart:
    """The next tokens of its slot."""
    slot = request.slot
    end = slot.read + count
    return BatchPart(slot.number, slot.read, slot.ids[slot.read : end], int(end == slot.known))
