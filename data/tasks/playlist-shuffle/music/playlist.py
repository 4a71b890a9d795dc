"""A playlist in its own order."""

from collections import Counter

from music.songs import Song


class Playlist:
    """Songs in the order in which they were added, and how often each was played."""

    def __init__(self, songs: list[Song]) -> None:
        self.songs = list(songs)
        self.plays: Counter[str] = Counter()

    def count_play(self, song: Song) -> None:
        """Note that a song is being played."""
        self.plays[song.title] += 1
