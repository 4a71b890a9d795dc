        super.count_play(song)
