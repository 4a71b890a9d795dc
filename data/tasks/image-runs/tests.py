from images.encoding import RaggedImage, encode


def is_ragged(rows):
    try:
        encode(rows)
    except RaggedImage:
        return True
    return False


def test_pixels_of_one_colour_are_one_run():
    assert encode(["....."]) == "5."


def test_another_colour_begins_another_run():
    assert encode(["..###."]) == "2.3#."


def test_a_single_pixel_has_no_number():
    assert encode(["#"]) == "#"
    assert encode([".#."]) == ".#."


def test_a_colour_can_come_again():
    assert encode(["##..##"]) == "2#2.2#"


def test_a_run_has_at_most_the_longest_length():
    assert encode(["." * 9]) == "9."
    assert encode(["." * 10]) == "9.."
    assert encode(["." * 20 + "#"]) == "9.9.2.#"


def test_rows_are_joined_by_a_stroke():
    assert encode(["..#", "###"]) == "2.#/3#"


def test_a_row_that_equals_the_one_before_it_is_written_short():
    assert encode(["..#", "..#", "..#", "###"]) == "2.#/=/=/3#"


def test_the_first_row_is_always_written_in_full():
    assert encode(["..#"]) == "2.#"
    assert encode(["..#", "###", "..#"]) == "2.#/3#/2.#"


def test_a_row_that_equals_an_earlier_one_only_is_written_in_full():
    assert encode(["##", "..", "##", ".#"]) == "2#/2./2#/.#"


def test_an_image_without_rows_gives_the_empty_text():
    assert encode([]) == ""


def test_rows_that_are_not_equally_long_are_refused():
    assert is_ragged(["..", "..."])
    assert is_ragged(["..", ".", ".."])
    assert not is_ragged(["...", "###"])
