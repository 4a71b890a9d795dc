from letters.filling import BrokenTemplate, MissingField, fill


def raised(template, fields):
    try:
        fill(template, fields)
    except (BrokenTemplate, MissingField) as error:
        return type(error)
    return None


def test_a_placeholder_is_replaced_by_its_field():
    assert fill("Dear {name}, welcome!", {"name": "Ada"}) == "Dear Ada, welcome!"


def test_a_template_without_placeholders_stays_as_it_is():
    assert fill("Dear all", {}) == "Dear all"
    assert fill("", {}) == ""


def test_every_placeholder_is_replaced_also_a_second_time():
    assert fill("{a}-{b}-{a}", {"a": "x", "b": "y"}) == "x-y-x"


def test_spaces_around_names_do_not_matter():
    assert fill("{ first name | capitals }", {"first name": "Ada"}) == "ADA"


def test_a_filter_changes_the_field():
    assert fill("{name|initial} Byron", {"name": "Ada"}) == "A. Byron"


def test_filters_are_applied_from_left_to_right():
    assert fill("{city|trim|initial|capitals}", {"city": "  geneva "}) == "G."
    assert fill("{city|initial|trim}", {"city": " geneva"}) == "."


def test_a_field_need_not_be_a_string():
    assert fill("You owe {sum} francs.", {"sum": 12}) == "You owe 12 francs."


def test_an_empty_field_is_filled_in():
    assert fill("Dear {title}{name}", {"title": "", "name": "Ada"}) == "Dear Ada"
    assert fill("{sum} francs", {"sum": 0}) == "0 francs"


def test_a_name_without_a_field_is_an_error():
    assert raised("Dear {name}", {"nam": "Ada"}) is MissingField


def test_a_brace_that_is_not_closed_is_an_error():
    assert raised("Dear {name", {"name": "Ada"}) is BrokenTemplate
    assert raised("Dear {name, {name}", {"name": "Ada"}) is BrokenTemplate


def test_a_closing_brace_outside_a_placeholder_is_text():
    assert fill("{name} :-} see you", {"name": "Ada"}) == "Ada :-} see you"
