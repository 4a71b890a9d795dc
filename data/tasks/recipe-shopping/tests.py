from fractions import Fraction

from kitchen.recipes import PORTION, CookBook, Line, Recipe


def line(amount, unit, what):
    return Line(Fraction(amount), unit, what)


def open_book():
    book = CookBook()
    book.write("Dough", Recipe(3, [line(500, "g", "flour"), line(3, "dl", "water"), line(1, "piece", "egg")]))
    book.write("Sauce", Recipe(4, [line(1, "kg", "tomatoes"), line(20, "ml", "oil"), line(30, "ml", "oil")]))
    book.write("Pizza", Recipe(1, [line(20, "g", "flour"), line(1, PORTION, "dough"), line(2, PORTION, "Sauce")]))
    return book


def test_a_recipe_for_its_own_portions_needs_what_is_written():
    found = open_book().shopping("Dough", 3)
    assert found == {("flour", "g"): 500, ("water", "ml"): 300, ("egg", "piece"): 1}


def test_amounts_grow_with_the_portions():
    assert open_book().shopping("Dough", 6)["flour", "g"] == 1000


def test_amounts_are_exact_where_they_do_not_divide_evenly():
    assert open_book().shopping("Dough", 2)["flour", "g"] == Fraction(1000, 3)


def test_amounts_are_in_the_smallest_unit():
    assert open_book().shopping("Sauce", 4)["tomatoes", "g"] == 1000


def test_an_ingredient_on_two_lines_is_added_up():
    assert open_book().shopping("Sauce", 4)["oil", "ml"] == 50


def test_capitals_and_blanks_in_a_name_do_not_matter():
    assert open_book().shopping(" SAUCE ", 4) == open_book().shopping("Sauce", 4)


def test_a_recipe_within_a_recipe_counts_with_the_portions_needed_of_it():
    found = open_book().shopping("Pizza", 1)
    assert found["tomatoes", "g"] == 500
    assert found["egg", "piece"] == Fraction(1, 3)


def test_what_a_recipe_and_one_within_it_need_is_added_up():
    assert open_book().shopping("Pizza", 3)["flour", "g"] == 560


def test_asking_twice_gives_the_same_answer():
    book = open_book()
    assert book.shopping("Pizza", 5) == book.shopping("Pizza", 5)
    assert book.find("Dough").lines[0].amount == 500
