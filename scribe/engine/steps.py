"""What one step evaluates: a token for every turn under way, and a piece of the prompts that are being read."""

from collections.abc import Sequence

from scribe.backends.gguf_file import BATCH
from scribe.engine.context import Piece
from scribe.engine.request import Request

GAP, ALONE = 0.25, 1.0
"""Seconds that a step may read prompts: when turns are under way, which wait for it, and when none is."""
RUN = 4
"""Dictated tokens from which they are evaluated in one step."""
LEAST = 16
"""Tokens of a prompt that are read in a step however slow the model is."""


class Pace:
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


class Steps:
    """Puts steps together, fairly: of the owners whose prompts are being read the one read longest ago goes first."""

    def __init__(self) -> None:
        self.pace = Pace()
        self._served: dict[str, int] = {}
        self._count = 0

    def next(self, running: Sequence[Request]) -> list[tuple[Request, Piece]]:
        """The pieces of the next step, at most `BATCH` tokens in all."""
        self._count += 1
        writing = [request for request in running if request.place.writes]
        reading = [request for request in running if not request.place.writes]
        step = _written(writing)
        left = self.pace.budget(sum(len(piece.ids) for _, piece in step))
        self._served = {r.path.owner: self._served.get(r.path.owner, 0) for r in reading}
        for request in sorted(reading, key=lambda request: self._served[request.path.owner]):
            if not left:
                break
            piece = _piece(request, min(left, request.place.pending))
            step.append((request, piece))
            left -= len(piece.ids)
            self._served[request.path.owner] = self._count
        return sorted(step, key=lambda each: each[1].sequence)  # neighbours are evaluated together


def _written(writing: Sequence[Request]) -> list[tuple[Request, Piece]]:
    """One token of each turn under way, or a whole run that the grammar dictated.

    Beside other turns a run is a part of the step for itself, with another pass over the weights, which costs about as
    much as two tokens do; but whoever waits for a run of a dozen one by one waits for a dozen steps.
    """
    room = BATCH - len(writing)
    step = []
    for request in writing:
        more = min(request.place.pending - 1, room)
        count = 1 + more if more + 1 >= RUN or len(writing) == 1 else 1
        room -= count - 1
        step.append((request, _piece(request, count)))
    return step


def _piece(request: Request, count: int) -> Piece:
    """The next tokens of its sequence."""
    sequence = request.place
    end = sequence.read + count
    return Piece(sequence.number, sequence.read, sequence.ids[sequence.read : end], end == sequence.known)
