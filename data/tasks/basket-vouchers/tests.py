from shop.basket import FREE_FROM, SHIPPING, Basket


def fill(price, pieces=1):
    basket = Basket()
    basket.add("chair", price, pieces)
    return basket


def test_without_vouchers_goods_and_shipping_are_paid():
    assert fill(1000, pieces=3).total([]) == 3000 + SHIPPING


def test_a_percentage_is_taken_off():
    assert fill(8000).total(["SPRING10"]) == 7200


def test_an_amount_is_taken_off():
    assert fill(8000).total(["THANKS5"]) == 7500


def test_percentages_are_taken_off_before_amounts():
    assert fill(10000).total(["THANKS5", "SPRING10"]) == 8500


def test_a_second_percentage_is_reckoned_on_what_is_left():
    assert fill(20000).total(["SPRING10", "HALF"]) == 9000


def test_an_unknown_code_is_passed_over_and_the_others_count():
    assert fill(8000).total(["WINTER", "SPRING10"]) == 7200


def test_a_voucher_counts_once_however_its_code_is_written():
    assert fill(8000).total(["SPRING10", "SPRING10"]) == 7200
    assert fill(8000).total([" spring10", "SPRING10"]) == 7200


def test_goods_cheaper_than_the_minimum_get_nothing_off():
    assert fill(3999).total(["HALF"]) == 3999 + SHIPPING


def test_goods_that_cost_just_the_minimum_are_enough():
    assert fill(4000).total(["HALF"]) == 2000 + SHIPPING


def test_other_vouchers_do_not_bring_the_goods_below_a_minimum():
    assert fill(4100).total(["SPRING10", "HALF"]) == 1845 + SHIPPING


def test_what_is_left_never_falls_below_zero():
    assert fill(1500).total(["GIFT20"]) == SHIPPING


def test_from_a_certain_price_on_shipping_is_free():
    assert fill(FREE_FROM).total([]) == FREE_FROM
    assert fill(FREE_FROM - 1).total([]) == FREE_FROM - 1 + SHIPPING


def test_vouchers_may_bring_a_basket_below_free_shipping():
    assert fill(5400).total(["THANKS5"]) == 4900 + SHIPPING
