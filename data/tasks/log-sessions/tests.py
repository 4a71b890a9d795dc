from clicks.sessions import split_sessions


def told(*lines):
    return [(session.user, session.pages) for session in split_sessions(list(lines))]


def test_clicks_with_short_pauses_are_one_session():
    assert told("0;ada;/a", "20;ada;/b", "40;ada;/c") == [("ada", ["/a", "/b", "/c"])]


def test_after_a_long_pause_a_new_session_begins():
    assert told("0;ada;/a", "31;ada;/b") == [("ada", ["/a"]), ("ada", ["/b"])]


def test_exactly_the_pause_still_belongs_to_the_session():
    assert told("0;ada;/a", "30;ada;/b") == [("ada", ["/a", "/b"])]


def test_each_user_has_sessions_of_their_own():
    assert told("0;ada;/a", "1;bob;/b", "2;ada;/c") == [("ada", ["/a", "/c"]), ("bob", ["/b"])]


def test_lines_may_stand_in_any_order():
    assert told("40;ada;/c", "5;ada;/a", "20;ada;/b") == [("ada", ["/a", "/b", "/c"])]


def test_sessions_stand_in_the_order_in_which_they_began():
    assert told("3;ada;/a", "1;bob;/b") == [("bob", ["/b"]), ("ada", ["/a"])]


def test_lines_that_cannot_be_read_are_passed_over():
    assert told("# a comment", "0;ada;/a", "noon;ada;/b", "") == [("ada", ["/a"])]


def test_an_empty_log_has_no_sessions():
    assert told() == []
