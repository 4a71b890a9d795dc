from chronicle.register import sort_kings


def test_kings_stand_in_the_order_of_their_names():
    assert sort_kings(["Stephen I", "Harold I", "Edgar I"]) == ["Edgar I", "Harold I", "Stephen I"]


def test_kings_of_one_name_stand_in_the_order_of_their_numbers():
    entries = ["Louis X", "Louis V", "Louis I", "Louis XI", "Louis VIII"]
    assert sort_kings(entries) == ["Louis I", "Louis V", "Louis VIII", "Louis X", "Louis XI"]


def test_a_letter_before_a_greater_one_is_subtracted():
    entries = ["Louis XVI", "Louis IX", "Louis XI", "Louis V", "Louis XIV", "Louis IV"]
    assert sort_kings(entries) == ["Louis IV", "Louis V", "Louis IX", "Louis XI", "Louis XIV", "Louis XVI"]


def test_equal_letters_are_added():
    assert sort_kings(["Henry III", "Henry II", "Henry IV"]) == ["Henry II", "Henry III", "Henry IV"]


def test_large_numerals_are_read_too():
    entries = ["Reuss XL", "Reuss XC", "Reuss LXXII", "Reuss XXIV", "Reuss XLV"]
    assert sort_kings(entries) == ["Reuss XXIV", "Reuss XL", "Reuss XLV", "Reuss LXXII", "Reuss XC"]


def test_the_name_counts_before_the_number():
    assert sort_kings(["Louis I", "Henry IV", "Louis II"]) == ["Henry IV", "Louis I", "Louis II"]


def test_a_king_without_a_numeral_is_the_first_of_his_name():
    assert sort_kings(["William II", "Stephen", "William", "Harold II"]) == [
        "Harold II",
        "Stephen",
        "William",
        "William II",
    ]


def test_a_name_can_have_several_words():
    assert sort_kings(["John Paul IX", "John Paul V", "John XX"]) == ["John XX", "John Paul V", "John Paul IX"]


def test_capitals_in_a_name_do_not_matter():
    assert sort_kings(["louis II", "Edgar I", "LOUIS III", "Louis I"]) == [
        "Edgar I",
        "Louis I",
        "louis II",
        "LOUIS III",
    ]


def test_entries_are_returned_as_they_were_written():
    assert sort_kings(["edgar the Peaceful"]) == ["edgar the Peaceful"]
