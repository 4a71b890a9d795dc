def play(self, draws: Iterable[int]) -> Iterator[Song]:
    """Yield a song for each drawn number (0 or more)."""
    # <nothing-to-play>
    if not self.songs:
        return
    # </nothing-to-play>
    remaining: list[Song] = []
    last: Song | None = None
    for draw in draws:
        # <all-played>
        over = not remaining
        # </all-played>
        if over:
            # <own-copy>
            remaining = list(self.songs)
            # </own-copy>
        # <other-artist>
        candidates = [song for song in remaining if last is None or not same_artist(song, last)]
        # </other-artist>
        # <no-choice>
        candidates = candidates or remaining
        # </no-choice>
        # <wrap-around>
        song = candidates[draw % len(candidates)]
        # </wrap-around>
        # <take-out>
        remaining.remove(song)
        # </take-out>
        # <count-play>
        self.count_play(song)
        # </count-play>
        # <last-song>
        last = song
        # </last-song>
        yield song
