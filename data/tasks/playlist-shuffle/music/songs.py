"""Songs and who sings them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Song:
    """One song of one artist."""

    title: str
    artist: str


def same_artist(one: Song, other: Song) -> bool:
    """Whether two songs are of the same artist; capitals and a leading "The" do not matter."""
    first, second = (song.artist.casefold().removeprefix("the ") for song in (one, other))
    return first == second
