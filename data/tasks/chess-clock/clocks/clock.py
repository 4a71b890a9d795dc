"""A clock that two players press."""

from clocks.players import BLACK, WHITE, opponent

INCREMENT = 5
"""What a player gets for each move."""
BONUS_MOVE, BONUS = 3, 60
"""What a player gets once, and with which of their moves."""


class GameOver(Exception):
    """A player has lost on time."""


class NotYourTurn(Exception):
    """The other player's clock runs."""


class ChessClock:
    """Time left, moves made, and whose clock runs."""

    def __init__(self, seconds: int) -> None:
        self.left = {WHITE: seconds, BLACK: seconds}
        self.moves = {WHITE: 0, BLACK: 0}
        self.turn = WHITE
        self.loser: str | None = None
        self.start(0)

    def start(self, now: int) -> None:
        """Begin to measure the time of the player on turn."""
        self.since = now
        self.stopped = 0

    def add_pause(self, seconds: int) -> None:
        """The arbiter stopped the clock for so long."""
        self.stopped += seconds

    def running_time(self, now: int) -> int:
        """How long the clock has run for the player on turn."""
        return now - self.since - self.stopped

    def press(self, player: str, now: int) -> int:
        """Let a player press the clock; return what they have left, raise GameOver or NotYourTurn."""
        raise NotImplementedError
