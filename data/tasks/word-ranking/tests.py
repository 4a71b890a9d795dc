from texts.ranking import top_words


def test_the_most_frequent_word_stands_first():
    assert top_words("red blue blue green blue red", 3) == [("blue", 3), ("red", 2), ("green", 1)]


def test_ties_stand_in_alphabetical_order():
    assert top_words("pear fig apple pear", 3) == [("pear", 2), ("apple", 1), ("fig", 1)]


def test_capitals_do_not_matter():
    assert top_words("Rain, rain! RAIN?", 1) == [("rain", 3)]


def test_punctuation_belongs_to_no_word():
    assert top_words("yes, yes; no.", 2) == [("yes", 2), ("no", 1)]


def test_stop_words_are_left_out_but_not_words_that_contain_them():
    assert top_words("The sea is in the bay and it is an island", 9) == [
        ("an", 1),
        ("bay", 1),
        ("island", 1),
        ("sea", 1),
    ]


def test_no_more_than_count_words_are_returned():
    assert top_words("one two three four", 2) == [("four", 1), ("one", 1)]


def test_a_text_with_fewer_words_is_no_error():
    assert top_words("alone", 5) == [("alone", 1)]
    assert top_words("", 5) == []
