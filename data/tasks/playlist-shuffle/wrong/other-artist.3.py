        candidates = [song for song in remaining if last is None or same_artist(song, last)]
