from algebra.polynomial import Polynomial


class Stretch:
    """Something that can stand on the right of a product and knows what to do."""

    def __rmul__(self, other):
        return "stretched"


def product(terms, others):
    return (Polynomial(terms) * Polynomial(others)).terms


def test_powers_are_added_and_coefficients_multiplied():
    assert product({2: 3}, {4: 5}) == {6: 15}


def test_each_term_is_multiplied_with_each():
    assert product({3: 1, 0: 1}, {5: 2, 1: 7}) == {8: 2, 4: 7, 5: 2, 1: 7}


def test_factors_may_have_different_numbers_of_terms():
    assert product({1: 2}, {3: 1, 2: 4, 0: 5}) == {4: 2, 3: 8, 1: 10}


def test_terms_of_equal_power_are_combined():
    assert product({1: 1, 0: 1}, {1: 1, 0: 2}) == {2: 1, 1: 3, 0: 2}


def test_terms_that_cancel_leave_no_coefficient_zero():
    assert product({1: 1, 0: 1}, {1: 1, 0: -1}) == {2: 1, 0: -1}


def test_a_whole_number_is_a_constant():
    assert (Polynomial({2: 3, 0: -1}) * 4).terms == {2: 12, 0: -4}
    assert (Polynomial({2: 3, 0: -1}) * 0).terms == {}


def test_the_value_of_a_product_is_the_product_of_the_values():
    one, other = Polynomial({2: 3, 1: -2, 0: 7}), Polynomial({3: 1, 1: 4, 0: -5})
    assert (one * other)(6) == one(6) * other(6)


def test_the_factors_are_not_changed():
    one, other = Polynomial({1: 1, 0: 1}), Polynomial({2: 3, 0: 5})
    try:
        one * other
    finally:
        assert one.terms == {1: 1, 0: 1}
        assert other.terms == {2: 3, 0: 5}


def test_another_operand_can_answer_for_itself():
    assert Polynomial({1: 1}) * Stretch() == "stretched"


def test_a_product_that_nobody_knows_is_a_type_error():
    try:
        Polynomial({1: 1}) * "two"
    except TypeError:
        return
    raise AssertionError("no exception was raised")
