from music.shuffle import ShuffledPlaylist
from music.songs import Song

ALMA = Song("Dawn", "Alma")
BRIO = Song("Rain", "Brio")
CORA = Song("Sea", "Cora")
DUNE = Song("Sand", "Dune")
FOUR = [ALMA, BRIO, CORA, DUNE]


def titles(songs, *draws):
    return [song.title for song in ShuffledPlaylist(songs).play(draws)]


def test_a_number_is_a_position_among_the_songs():
    assert titles(FOUR, 2) == ["Sea"]


def test_each_number_gives_one_song():
    assert titles(FOUR, 0, 0, 0) == ["Dawn", "Rain", "Sea"]


def test_positions_are_those_among_the_songs_that_remain():
    assert titles(FOUR, 1, 1, 1) == ["Rain", "Sea", "Sand"]


def test_no_song_returns_before_all_have_been_played():
    assert sorted(titles(FOUR, 3, 1, 5, 0)) == ["Dawn", "Rain", "Sand", "Sea"]


def test_numbers_beyond_the_end_go_on_at_the_beginning():
    assert titles(FOUR, 6, 5, 7) == ["Sea", "Sand", "Rain"]


def test_when_all_have_been_played_all_are_there_again():
    assert titles([ALMA, BRIO], 0, 0, 0, 0, 0) == ["Dawn", "Rain", "Dawn", "Rain", "Dawn"]


def test_an_artist_does_not_follow_on_themselves():
    again = Song("Dusk", "alma")
    assert titles([ALMA, again, BRIO], 0, 0, 0) == ["Dawn", "Rain", "Dusk"]


def test_positions_are_those_among_the_candidates():
    again, third = Song("Dusk", "The Alma"), Song("Noon", "Brio")
    assert titles([ALMA, again, BRIO, third], 0, 1, 0, 0) == ["Dawn", "Noon", "Dusk", "Rain"]


def test_an_artist_follows_on_themselves_if_no_other_remains():
    again = Song("Dusk", "Alma")
    assert titles([BRIO, ALMA, again], 0, 0, 0) == ["Rain", "Dawn", "Dusk"]


def test_the_rule_of_artists_holds_from_one_round_to_the_next():
    assert titles([ALMA, BRIO], 1, 0, 0) == ["Rain", "Dawn", "Rain"]


def test_every_play_is_counted():
    playlist = ShuffledPlaylist([ALMA, BRIO])
    list(playlist.play([0, 0, 0]))
    assert playlist.plays == {"Dawn": 2, "Rain": 1}


def test_the_playlist_itself_does_not_change():
    playlist = ShuffledPlaylist(FOUR)
    list(playlist.play([0, 1, 2]))
    assert playlist.songs == FOUR


def test_an_empty_playlist_yields_nothing():
    assert titles([], 0, 1) == []
