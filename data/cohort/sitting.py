"""One study session under way: a student at the clock, clicking."""

from dataclasses import dataclass
from random import Random

from data.cohort.chance import around
from data.cohort.clicks import Clicks
from data.events.schema import Kind


@dataclass(frozen=True, slots=True)
class Style:
    """How a student uses the player and the site; none of it makes them better or worse.

    `speed` is the preferred playback rate, `pauses` and `jumps` are per ten minutes of video, `back` is the share
    of jumps that go backward, `chatty` the chance to look into the forum in a session.
    """

    speed: float
    pauses: float
    jumps: float
    back: float
    chatty: float


def draw_style(draw: Random) -> Style:
    """One student's style; six in ten never change the speed."""
    return Style(
        speed=draw.choices((1.0, 1.25, 1.5, 2.0), (60, 22, 14, 4))[0],
        pauses=around(draw, 1.9, 0.5, 7.0),
        jumps=around(draw, 0.7, 0.7, 5.0),
        back=draw.uniform(0.4, 0.9),
        chatty=draw.betavariate(1.2, 4.0),
    )


class Sitting:
    """A session: the time `now` (seconds since week 1 began), and the log it writes to."""

    __slots__ = ("_clicks", "_student", "draw", "now", "rate", "started", "style")

    def __init__(self, student: int, clicks: Clicks, draw: Random, style: Style, now: float, rate: float) -> None:
        self._student, self._clicks = student, clicks
        self.draw, self.style = draw, style
        self.started = self.now = now
        self.rate = rate

    def click(self, kind: Kind, name: str, value: float = float("nan")) -> None:
        """Do one thing, which takes no time."""
        self._clicks.add(self._student, self.now, kind, name, value)

    def wait(self, seconds: float) -> None:
        """Let time pass, a second at least: nobody clicks twice at once."""
        self.now += max(1.0, seconds)

    def linger(self, median: float, spread: float = 0.6, most: float = 600.0) -> None:
        """Let a random time pass; seconds."""
        self.wait(around(self.draw, median, spread, most))
