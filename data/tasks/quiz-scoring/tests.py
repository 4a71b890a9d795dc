from quiz.marking import InvalidAnswer, Question, Quiz, Result

ONE_RIGHT = Question(frozenset("ABCD"), frozenset("B"), 2.0)
TWO_RIGHT = Question(frozenset("ABCDE"), frozenset("AC"), 3.0)


def marks(sheet, *questions):
    return Quiz(list(questions)).mark(sheet).marks


def is_invalid(sheet, *questions):
    try:
        Quiz(list(questions)).mark(sheet)
    except InvalidAnswer:
        return True
    return False


def test_all_right_options_bring_all_points():
    assert marks({1: "B", 2: "A, C"}, ONE_RIGHT, TWO_RIGHT) == [2.0, 3.0]


def test_some_of_the_right_options_bring_their_share():
    assert marks({1: "C"}, TWO_RIGHT) == [1.5]


def test_blanks_and_capitals_do_not_matter():
    assert marks({1: "c ,  a"}, TWO_RIGHT) == [3.0]
    assert marks({1: " b"}, ONE_RIGHT) == [2.0]


def test_questions_are_numbered_from_one_and_answered_in_any_order():
    assert marks({2: "A", 1: "B"}, ONE_RIGHT, TWO_RIGHT) == [2.0, 1.5]


def test_a_question_that_was_left_out_brings_zero():
    assert marks({2: "B"}, TWO_RIGHT, ONE_RIGHT, ONE_RIGHT) == [0.0, 2.0, 0.0]


def test_an_answer_without_ticks_brings_zero():
    assert marks({1: " "}, ONE_RIGHT) == [0.0]


def test_a_wrong_tick_takes_away_its_cost():
    assert marks({1: "A"}, ONE_RIGHT) == [-1.0]
    assert marks({1: "A, C, D"}, TWO_RIGHT) == [1.5]


def test_a_right_option_that_was_not_ticked_is_no_wrong_tick():
    assert marks({1: "A"}, TWO_RIGHT) == [1.5]


def test_every_wrong_tick_takes_away_its_cost():
    assert marks({1: "B, A, C"}, ONE_RIGHT) == [0.0]
    assert marks({1: "A, B, D"}, TWO_RIGHT) == [-1.5]


def test_a_question_takes_away_no_more_than_its_points():
    assert marks({1: "A, C, D"}, ONE_RIGHT) == [-2.0]


def test_negative_marks_lower_the_total():
    quiz = Quiz([ONE_RIGHT, TWO_RIGHT])
    assert quiz.mark({1: "A", 2: "A, C"}) == Result([-1.0, 3.0], 2.0)


def test_the_total_is_never_below_zero():
    quiz = Quiz([ONE_RIGHT, TWO_RIGHT])
    assert quiz.mark({1: "A", 2: "B"}) == Result([-1.0, -1.5], 0.0)


def test_another_penalty_can_be_set():
    assert Quiz([ONE_RIGHT], penalty=0.25).mark({1: "D"}).marks == [-0.5]


def test_an_option_that_does_not_exist_is_an_error_even_beside_good_ones():
    assert is_invalid({1: "E"}, ONE_RIGHT)
    assert is_invalid({1: "B, Z"}, ONE_RIGHT)
    assert not is_invalid({1: "A, D"}, ONE_RIGHT)
