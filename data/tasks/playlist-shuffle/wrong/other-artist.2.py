        candidates = [song for song in remaining if not same_artist(song, last)]
