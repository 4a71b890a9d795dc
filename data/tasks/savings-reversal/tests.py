from datetime import date

from bank.ledger import NoSuchEntry
from bank.savings import MINIMUM, ReversalRefused, SavingsLedger

DAY = date(2024, 11, 20)


def open_ledger():
    """A ledger with 100.00 on Ada's account: its entry number 1."""
    ledger = SavingsLedger()
    ledger.post(DAY, "ada", 10_000)
    return ledger


def refuses(ledger, number, today=DAY):
    before = list(ledger.entries)
    try:
        ledger.reverse(number, today)
    except ReversalRefused:
        return ledger.entries == before
    return False


def test_a_reversal_is_the_opposite_entry_of_today():
    ledger = open_ledger()
    ledger.post(DAY, "ada", -2_500)
    reversal = ledger.reverse(2, date(2024, 12, 1))
    assert (reversal.number, reversal.day, reversal.account, reversal.cents) == (3, date(2024, 12, 1), "ada", 2_500)
    assert ledger.balance("ada") == 10_000


def test_an_entry_that_does_not_exist_is_an_error_of_its_own():
    try:
        open_ledger().reverse(2, DAY)
    except NoSuchEntry:
        return
    raise AssertionError("no exception was raised")


def test_an_entry_is_reversed_once_only():
    ledger = open_ledger()
    ledger.post(DAY, "ada", -100)
    ledger.post(DAY, "ada", -200)
    ledger.reverse(2, DAY)
    ledger.reverse(3, DAY)
    assert refuses(ledger, 2)
    assert refuses(ledger, 3)


def test_a_reversal_is_not_reversed():
    ledger = open_ledger()
    ledger.post(DAY, "ada", -100)
    ledger.reverse(2, DAY)
    assert refuses(ledger, 3)


def test_on_the_last_day_of_the_next_month_it_is_not_too_late():
    ledger = open_ledger()
    ledger.post(DAY, "ada", -100)
    ledger.post(DAY, "ada", -200)
    assert ledger.reverse(2, date(2024, 12, 31)).cents == 100
    assert refuses(ledger, 3, date(2025, 1, 1))


def test_after_a_turn_of_the_year_it_can_be_too_late_too():
    ledger = open_ledger()
    ledger.post(DAY, "ada", -100)
    assert refuses(ledger, 2, date(2025, 2, 3))


def test_a_later_month_of_the_same_year_is_too_late():
    ledger = open_ledger()
    ledger.post(date(2024, 3, 31), "ada", -100)
    assert refuses(ledger, 2, date(2024, 5, 1))


def test_reversing_a_deposit_leaves_the_minimum():
    ledger = open_ledger()
    assert refuses(ledger, 1)
    ledger.post(DAY, "ada", MINIMUM - 1)
    assert refuses(ledger, 1)
    ledger.post(DAY, "ada", 1)
    assert ledger.reverse(1, DAY).cents == -10_000
    assert ledger.balance("ada") == MINIMUM


def test_money_of_others_does_not_help():
    ledger = open_ledger()
    ledger.post(DAY, "alan", 90_000)
    assert refuses(ledger, 1)
