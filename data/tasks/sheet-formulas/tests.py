from sheet.cells import Loop, Sheet


def loops(contents, cell):
    try:
        Sheet(contents).value(cell)
    except Loop:
        return True
    return False


def test_a_number_is_its_own_value():
    assert Sheet({"A1": "42"}).value("A1") == 42


def test_a_blank_cell_counts_zero():
    assert Sheet({}).value("A1") == 0
    assert Sheet({"A1": "=B1 + B2", "B1": "5"}).value("A1") == 5


def test_a_text_counts_zero():
    assert Sheet({"A1": "=B1 + B2", "B1": "total", "B2": "5"}).value("A1") == 5


def test_all_terms_of_a_formula_are_added_up():
    assert Sheet({"A1": "=B1 + B2 + B1", "B1": "5", "B2": "7"}).value("A1") == 17


def test_a_formula_can_contain_numbers():
    assert Sheet({"A1": "=B1 + 10 + 20", "B1": "5"}).value("A1") == 35
    assert Sheet({"A1": "=12"}).value("A1") == 12


def test_a_range_stands_for_all_its_cells():
    contents = {"A1": "=B1:C3", "B1": "1", "B2": "2", "B3": "4", "C1": "8", "C2": "16", "C3": "32"}
    assert Sheet(contents).value("A1") == 63


def test_a_formula_can_need_other_formulas():
    assert Sheet({"A1": "=B1 + 1", "B1": "=C1 + 1", "C1": "=D1:D2", "D1": "3", "D2": "4"}).value("A1") == 9


def test_a_cell_can_be_needed_twice():
    contents = {"A1": "=B1 + C1 + D1", "B1": "=D1", "C1": "=D1 + B1", "D1": "=E1", "E1": "1"}
    assert Sheet(contents).value("A1") == 4


def test_a_cell_that_needs_itself_is_a_loop():
    assert loops({"A1": "=A1 + 1"}, "A1")


def test_a_cell_that_needs_itself_through_others_is_a_loop():
    contents = {"A1": "=B1", "B1": "=C1", "C1": "=A1:A2"}
    assert loops(contents, "A1")
    assert loops(contents, "B1")


def test_a_loop_farther_down_is_found():
    assert loops({"A1": "=B1", "B1": "=C1", "C1": "=B1"}, "A1")
