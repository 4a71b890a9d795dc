"""A playlist in an order drawn by chance."""

from collections.abc import Iterable, Iterator

from music.playlist import Playlist
from music.songs import Song, same_artist


class ShuffledPlaylist(Playlist):
    """Plays every song once before one comes again."""

    def play(self, draws: Iterable[int]) -> Iterator[Song]:
        """Yield a song for each drawn number (0 or more)."""
        raise NotImplementedError
