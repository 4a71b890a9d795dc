        candidates.remove(song)
