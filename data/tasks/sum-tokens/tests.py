from calc.reading import UnknownCharacter, read_tokens
from calc.tokens import Token


def kinds(text):
    return [token.kind for token in read_tokens(text)]


def values(text):
    return [token.value for token in read_tokens(text)]


def test_a_token_has_kind_value_and_place():
    assert list(read_tokens("7+(")) == [Token("number", 7, 0), Token("operator", "+", 1), Token("open", "(", 2)]


def test_digits_that_stand_together_are_one_number():
    assert values("120*34+5") == [120, "*", 34, "+", 5]


def test_a_number_at_the_end_is_not_forgotten():
    assert values("42") == [42]


def test_the_place_of_a_number_is_that_of_its_first_digit():
    assert [token.place for token in read_tokens("120 + 34")] == [0, 4, 6]


def test_spaces_separate_tokens_and_are_none():
    assert values("  1  2 +3 ") == [1, 2, "+", 3]


def test_parentheses_have_kinds_of_their_own():
    assert kinds("(1+2)*3") == ["open", "number", "operator", "number", "close", "operator", "number"]


def test_a_minus_after_a_number_or_a_parenthesis_is_an_operator():
    assert kinds("5-3") == ["number", "operator", "number"]
    assert kinds("(5) - 3") == ["open", "number", "close", "operator", "number"]


def test_a_minus_at_the_beginning_is_a_sign():
    assert kinds("-3") == ["sign", "number"]


def test_a_minus_after_an_operator_is_a_sign():
    assert kinds("2 * -3") == ["number", "operator", "sign", "number"]
    assert kinds("2--3") == ["number", "operator", "sign", "number"]


def test_a_minus_after_an_opening_parenthesis_is_a_sign():
    assert kinds("1+(-3)") == ["number", "operator", "open", "sign", "number", "close"]


def test_an_unknown_character_raises_when_its_turn_comes():
    tokens = read_tokens("1 + x")
    assert [next(tokens).value, next(tokens).value] == [1, "+"]
    try:
        rest = list(tokens)
    except UnknownCharacter:
        return
    raise AssertionError(f"no exception was raised, but these came: {rest}")


def test_an_empty_text_has_no_tokens():
    assert values("") == []
