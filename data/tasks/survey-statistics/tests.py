from survey.summary import Summary, summarise


def test_a_summary_tells_everything_at_once():
    assert summarise(["2", "9", "4", "", "2"]) == Summary(given=4, missing=1, mean=4.2, median=3.0, modes=[2])


def test_missing_answers_are_counted_however_they_are_written():
    summary = summarise(["5", "", " - ", "N/A", "?", "5"])
    assert (summary.given, summary.missing) == (2, 4)


def test_a_zero_is_a_mark_and_no_missing_answer():
    assert summarise(["0", "4", "0", ""]) == Summary(given=3, missing=1, mean=1.3, median=0, modes=[0])


def test_missing_answers_do_not_lower_the_mean():
    assert summarise(["8", "-", "-", "6"]).mean == 7.0


def test_the_mean_is_rounded_to_one_decimal():
    assert summarise(["1", "2", "2"]).mean == 1.7


def test_the_median_of_an_odd_number_of_marks_is_the_middle_one():
    assert summarise(["9", "1", "3"]).median == 3


def test_the_median_of_an_even_number_of_marks_is_the_mean_of_two():
    assert summarise(["10", "1", "6", "3"]).median == 4.5


def test_equal_marks_all_count_for_the_median():
    assert summarise(["2", "2", "2", "5", "8"]).median == 2


def test_the_mode_is_the_mark_that_was_given_most_often():
    assert summarise(["7", "3", "7", "9"]).modes == [7]


def test_all_marks_given_most_often_are_modes_and_the_smallest_stands_first():
    assert summarise(["8", "3", "8", "5", "3"]).modes == [3, 8]


def test_a_missing_answer_is_no_mode():
    assert summarise(["", "", "", "4"]).modes == [4]


def test_without_any_mark_there_is_no_mean_no_median_and_no_mode():
    assert summarise(["", "n/a"]) == Summary(given=0, missing=2, mean=None, median=None, modes=[])
    assert summarise([]) == Summary(given=0, missing=0, mean=None, median=None, modes=[])
