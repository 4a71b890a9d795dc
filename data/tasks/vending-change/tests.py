from vending.machine import Machine, NoChange, NotEnough, SoldOut

PRICES = {"tea": 120, "nuts": 250, "gum": 10}


def build(coins, tea=5):
    return Machine(PRICES, {"tea": tea, "nuts": 0, "gum": 9}, coins)


def refusal(machine, product, paid):
    """The error that a buyer meets."""
    try:
        machine.buy(product, paid)
    except (SoldOut, NotEnough, NoChange) as error:
        return type(error)
    return None


def test_exactly_the_price_gives_no_change():
    assert build({}).buy("tea", [100, 20]) == []


def test_change_begins_with_the_largest_coin():
    assert build({10: 9, 20: 9, 50: 9}).buy("tea", [200]) == [50, 20, 10]


def test_a_coin_can_be_given_several_times():
    assert build({20: 9}).buy("tea", [200]) == [20, 20, 20, 20]


def test_a_coin_that_the_machine_has_not_enough_of_is_made_up_by_smaller_ones():
    assert build({10: 9, 20: 1, 50: 1}).buy("gum", [100]) == [50, 20, 10, 10]


def test_coins_that_are_paid_can_be_part_of_the_change():
    assert build({}).buy("tea", [100, 20, 20]) == [20]


def test_equal_coins_all_go_into_the_machine():
    machine = build({})
    assert machine.buy("tea", [20, 20, 20, 20, 20, 20]) == []
    assert machine.money == 120
    machine.buy("tea", [20, 20, 20, 20, 20, 20])
    assert machine.money == 240


def test_change_leaves_the_machine():
    machine = build({10: 2, 50: 1, 20: 1})
    machine.buy("tea", [200])
    assert machine.money == 90 + 120
    assert machine.buy("tea", [100, 20, 10]) == [10]


def test_a_sale_makes_the_stock_one_smaller():
    machine = build({}, tea=3)
    machine.buy("tea", [100, 20])
    assert machine.left("tea") == 2
    machine.buy("tea", [100, 20])
    assert machine.left("tea") == 1


def test_what_is_sold_out_or_unknown_cannot_be_bought():
    assert refusal(build({}, tea=0), "tea", [100, 20]) is SoldOut
    assert refusal(build({}), "nuts", [200, 50]) is SoldOut
    assert refusal(build({}), "soup", [200, 50]) is SoldOut


def test_too_little_money_is_not_enough():
    machine = build({})
    assert refusal(machine, "tea", [100, 10]) is NotEnough
    assert machine.money == 0


def test_without_coins_for_the_change_nothing_is_sold():
    machine = build({50: 1, 100: 3})
    assert refusal(machine, "tea", [200]) is NoChange
    assert machine.left("tea") == 5


def test_after_a_refusal_the_machine_has_the_coins_that_it_had():
    machine = build({50: 1, 100: 3})
    assert refusal(machine, "tea", [200]) is NoChange
    assert machine.money == 350
