from datetime import datetime, timedelta

from mail.threads import Message, group_threads

MAY = datetime(2025, 5, 1, 9, 0)


def mail(id, subject, hours, reply_to=None):
    return Message(id, subject, MAY + timedelta(hours=hours), reply_to)


def told(*messages):
    """The ids of the messages in each thread."""
    return [[message.id for message in thread.messages] for thread in group_threads(list(messages))]


def test_messages_of_the_same_subject_are_one_thread():
    assert told(mail("a", "Boat trip", 0), mail("b", "Boat trip", 5)) == [["a", "b"]]


def test_messages_of_different_subjects_are_different_threads():
    assert told(mail("b", "Rent", 0), mail("a", "Boat trip", 5)) == [["a"], ["b"]]


def test_marks_of_replies_do_not_matter():
    assert told(
        mail("a", "Boat trip", 0), mail("b", "Re: Boat trip", 1), mail("c", "RE: Fwd: Boat trip", 2),
        mail("d", "AW:Boat  trip", 3)
    ) == [["a", "b", "c", "d"]]


def test_capitals_do_not_matter():
    assert told(mail("a", "Boat Trip", 0), mail("b", "boat trip", 1)) == [["a", "b"]]


def test_a_thread_has_the_bare_subject_of_its_first_message():
    threads = group_threads([mail("a", "Fwd: Boat Trip", 0), mail("b", "re: boat trip", 1)])
    assert [thread.subject for thread in threads] == ["Boat Trip"]


def test_messages_may_be_given_in_any_order():
    assert told(mail("c", "Re: Rent", 9), mail("a", "Rent", 0), mail("b", "Re: Rent", 4, "a")) == [["a", "b", "c"]]


def test_other_messages_may_come_between():
    assert told(mail("a", "Rent", 0), mail("b", "Boat", 1), mail("c", "Rent", 2)) == [["a", "c"], ["b"]]


def test_a_reply_belongs_to_the_thread_of_the_message_it_answers():
    assert told(mail("a", "Rent", 0), mail("b", "Keys", 1, "a"), mail("c", "Door", 2, "b")) == [["a", "b", "c"]]


def test_the_message_that_is_answered_counts_more_than_the_subject():
    assert told(mail("a", "Rent", 0), mail("b", "Boat", 1), mail("c", "Boat", 2, "a")) == [["a", "c"], ["b"]]


def test_a_reply_to_an_unknown_message_goes_by_its_subject():
    assert told(mail("a", "Rent", 0), mail("b", "Re: Rent", 1, "lost"), mail("c", "Boat", 2, "lost")) == [
        ["c"],
        ["a", "b"],
    ]


def test_a_reply_belongs_to_its_thread_however_late():
    assert told(mail("a", "Rent", 0), mail("b", "Rent", 24 * 30, "a")) == [["a", "b"]]


def test_after_the_window_the_same_subject_begins_a_new_thread():
    assert told(mail("a", "Rent", 0), mail("b", "Rent", 24 * 7 + 1), mail("c", "Rent", 24 * 8)) == [["b", "c"], ["a"]]


def test_exactly_the_window_still_belongs_to_the_thread():
    assert told(mail("a", "Rent", 0), mail("b", "Rent", 24 * 7)) == [["a", "b"]]


def test_the_window_is_counted_from_the_latest_message():
    assert told(mail("a", "Rent", 0), mail("b", "Rent", 24 * 5), mail("c", "Rent", 24 * 10)) == [["a", "b", "c"]]


def test_the_thread_with_the_latest_message_stands_first():
    assert told(mail("a", "Rent", 0), mail("b", "Boat", 1), mail("c", "Tax", 2), mail("d", "Rent", 3)) == [
        ["a", "d"],
        ["c"],
        ["b"],
    ]


def test_without_messages_there_are_no_threads():
    assert told() == []
