from datetime import date

from contacts.card import Card
from contacts.merging import merge_books

OLD, NEW = date(2024, 12, 31), date(2025, 1, 2)


def test_people_of_both_books_are_in_the_result():
    merged = merge_books([Card("Ada", OLD, ["022 111"])], [Card("Bob", OLD, ["022 222"])])
    assert merged == [Card("Ada", OLD, ["022 111"]), Card("Bob", OLD, ["022 222"])]


def test_one_common_number_means_the_same_person():
    merged = merge_books([Card("Ada", OLD, ["022 111", "022 222"])], [Card("A. Byron", OLD, ["022 333", "022 111"])])
    assert [card.name for card in merged] == ["Ada"]


def test_the_same_name_alone_does_not_mean_the_same_person():
    assert len(merge_books([Card("Ada", OLD, ["022 111"])], [Card("Ada", OLD, ["022 222"])])) == 2


def test_a_number_can_be_written_in_several_ways():
    assert len(merge_books([Card("Ada", OLD, ["022 765 43 21"])], [Card("Ada", OLD, ["+41 22 765-43-21"])])) == 1
    assert len(merge_books([Card("Ada", OLD, ["0041227654321"])], [Card("Ada", OLD, ["022 7654321"])])) == 1


def test_phones_that_are_lacking_are_added_as_they_are_written():
    merged = merge_books([Card("Ada", OLD, ["022 111"])], [Card("Ada", OLD, ["079 33 44", "+41 22 111"])])
    assert merged[0].phones == ["022 111", "079 33 44"]


def test_the_tags_of_both_cards_are_kept():
    merged = merge_books([Card("Ada", OLD, ["1"], {"work", "bern"})], [Card("Ada", OLD, ["1"], {"chess", "bern"})])
    assert merged[0].tags == {"work", "bern", "chess"}


def test_name_and_day_are_those_of_the_card_changed_last():
    merged = merge_books([Card("Ada", OLD, ["1"])], [Card("Ada Byron", NEW, ["1"])])
    assert (merged[0].name, merged[0].changed) == ("Ada Byron", NEW)
    merged = merge_books([Card("Ada", NEW, ["1"])], [Card("Ada Byron", OLD, ["1"])])
    assert (merged[0].name, merged[0].changed) == ("Ada", NEW)


def test_on_the_same_day_my_name_stays():
    assert merge_books([Card("Ada", NEW, ["1"])], [Card("Ada Byron", NEW, ["1"])])[0].name == "Ada"


def test_two_of_their_cards_can_be_one_person():
    merged = merge_books([], [Card("Bob", OLD, ["1", "2"]), Card("Bobby", NEW, ["2", "3"])])
    assert merged == [Card("Bobby", NEW, ["1", "2", "3"])]


def test_the_result_is_in_the_order_of_the_names():
    mine, theirs = [Card("Carl", OLD, ["3"]), Card("ada", OLD, ["1"])], [Card("Bob", OLD, ["2"])]
    assert [card.name for card in merge_books(mine, theirs)] == ["ada", "Bob", "Carl"]


def test_my_book_stays_as_it_was():
    mine = [Card("Ada", OLD, ["1"], {"work"})]
    merge_books(mine, [Card("Ada Byron", NEW, ["1", "2"], {"chess"}), Card("Bob", OLD, ["3"])])
    assert mine == [Card("Ada", OLD, ["1"], {"work"})]


def test_their_book_stays_as_it_was():
    theirs = [Card("Bob", OLD, ["1"], {"work"}), Card("Bobby", NEW, ["1", "2"], {"chess"})]
    merge_books([], theirs)
    assert theirs == [Card("Bob", OLD, ["1"], {"work"}), Card("Bobby", NEW, ["1", "2"], {"chess"})]
