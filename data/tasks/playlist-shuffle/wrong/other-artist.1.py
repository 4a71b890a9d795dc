        candidates = [song for song in remaining if last is None or song.artist != last.artist]
