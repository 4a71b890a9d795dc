        Playlist.count_play(song)
