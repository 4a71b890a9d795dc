from train.carriage import AlreadySeated, Carriage, CarriageFull


def refusal(carriage, names):
    """The error that a group meets."""
    try:
        carriage.allocate(names)
    except (AlreadySeated, CarriageFull) as error:
        return type(error)
    return None


def group(letter, size):
    return [f"{letter}{number}" for number in range(size)]


def test_the_first_group_sits_at_the_front_in_the_order_of_the_list():
    assert Carriage(3).allocate(["Zoe", "Ann"]) == {"Zoe": "1A", "Ann": "1B"}


def test_a_seat_is_given_once():
    carriage = Carriage(3)
    carriage.allocate(["Zoe", "Ann"])
    assert carriage.allocate(["Bob"]) == {"Bob": "1C"}
    assert carriage.allocate(["Eve"]) == {"Eve": "1D"}


def test_a_group_sits_in_one_row_even_if_there_are_free_seats_before_it():
    carriage = Carriage(3)
    carriage.allocate(group("a", 3))
    assert list(carriage.allocate(group("b", 2)).values()) == ["2A", "2B"]


def test_a_row_with_exactly_enough_seats_is_enough():
    carriage = Carriage(2)
    carriage.allocate(group("a", 2))
    assert list(carriage.allocate(group("b", 2)).values()) == ["1C", "1D"]


def test_the_row_with_the_fewest_free_seats_is_taken():
    carriage = Carriage(3)
    carriage.allocate(group("a", 4))
    carriage.allocate(group("b", 4))
    carriage.allocate(group("c", 3))
    carriage.leave("1A")
    carriage.leave("1B")
    assert carriage.allocate(["Bob"]) == {"Bob": "3D"}


def test_of_rows_with_equally_many_free_seats_the_front_one_is_taken():
    carriage = Carriage(12)
    for letter in "abcdefghijkl":
        carriage.allocate(group(letter, 3))
    assert carriage.allocate(["Bob"]) == {"Bob": "1D"}


def test_rows_with_two_digits_are_rows_of_their_own():
    carriage = Carriage(11)
    for letter in "abcdefghij":
        carriage.allocate(group(letter, 4))
    carriage.leave("1A")
    carriage.leave("1B")
    assert list(carriage.allocate(group("n", 3)).values()) == ["11A", "11B", "11C"]


def test_a_group_for_which_no_row_is_enough_takes_the_first_free_seats():
    carriage = Carriage(2)
    assert list(carriage.allocate(group("a", 6)).values()) == ["1A", "1B", "1C", "1D", "2A", "2B"]


def test_a_group_that_is_split_passes_over_taken_seats():
    carriage = Carriage(2)
    carriage.allocate(group("a", 3))
    assert list(carriage.allocate(group("b", 5)).values()) == ["1D", "2A", "2B", "2C", "2D"]


def test_a_group_that_is_too_large_gets_no_seat_at_all():
    carriage = Carriage(1)
    carriage.allocate(group("a", 2))
    assert refusal(carriage, group("b", 3)) is CarriageFull
    assert carriage.free_seats() == ["1C", "1D"]


def test_one_traveller_who_has_a_seat_is_enough_to_refuse():
    carriage = Carriage(2)
    carriage.allocate(["Zoe", "Ann"])
    assert refusal(carriage, ["Bob", "Ann"]) is AlreadySeated
    assert "2A" in carriage.free_seats() and "1C" in carriage.free_seats()


def test_every_traveller_is_remembered():
    carriage = Carriage(1)
    carriage.allocate(["Zoe"])
    carriage.allocate(["Ann"])
    assert refusal(carriage, ["Zoe"]) is AlreadySeated
    assert carriage.free_seats() == ["1C", "1D"]
