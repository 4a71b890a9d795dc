"""The two players."""

WHITE, BLACK = "white", "black"


def opponent(player: str) -> str:
    """The other player."""
    return BLACK if player == WHITE else WHITE
