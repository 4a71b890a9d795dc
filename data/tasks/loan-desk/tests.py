from datetime import date

from library.desk import LIMIT, Desk, Loan, LoanRefused

MONDAY = date(2025, 3, 3)


def refuses(desk, member, book, today):
    try:
        desk.lend(member, book, today)
    except LoanRefused:
        return True
    return False


def test_a_loan_names_book_member_and_due_day():
    assert Desk().lend("ada", "QA76", MONDAY) == Loan("QA76", "ada", date(2025, 3, 13))


def test_the_spelling_of_a_book_number_does_not_matter():
    desk = Desk()
    assert desk.lend("ada", " qa76 ", MONDAY).book == "QA76"
    assert desk.is_lent("QA76")


def test_a_book_that_is_out_is_not_lent_again():
    desk = Desk()
    desk.lend("ada", "QA76", MONDAY)
    assert refuses(desk, "alan", "QA76", MONDAY)
    desk.give_back("QA76")
    assert not refuses(desk, "alan", "QA76", MONDAY)


def test_a_member_holds_no_more_than_the_limit():
    desk = Desk()
    for number in range(LIMIT):
        desk.lend("ada", f"B{number}", MONDAY)
    assert refuses(desk, "ada", "ONE-MORE", MONDAY)
    assert not refuses(desk, "alan", "ONE-MORE", MONDAY)


def test_one_overdue_book_is_enough_to_refuse():
    desk = Desk()
    desk.lend("ada", "OLD", MONDAY)
    desk.lend("ada", "NEW", date(2025, 3, 10))
    assert refuses(desk, "ada", "OTHER", date(2025, 3, 14))


def test_on_its_due_day_a_book_is_not_overdue():
    desk = Desk()
    desk.lend("ada", "OLD", MONDAY)
    assert not refuses(desk, "ada", "OTHER", date(2025, 3, 13))


def test_a_due_day_is_a_day_on_which_the_library_is_open():
    thursday = date(2025, 3, 6)  # ten days later it is Sunday
    assert Desk().lend("ada", "QA76", thursday).due == date(2025, 3, 17)


def test_every_loan_is_remembered():
    desk = Desk()
    desk.lend("ada", "A1", MONDAY)
    desk.lend("ada", "B2", MONDAY)
    assert [loan.book for loan in desk.loans_of("ada")] == ["A1", "B2"]
