from gradebook.average import final_grade


def test_heavier_items_count_more():
    assert final_grade({"exam": 6.0, "lab": 2.0}, {"exam": 3.0, "lab": 1.0}) == 5.0


def test_weights_need_not_add_up_to_one():
    assert final_grade({"exam": 5.0}, {"exam": 4.0}) == 5.0


def test_an_excused_item_counts_neither_in_grade_nor_in_weight():
    assert final_grade({"quiz": None, "exam": 4.0, "lab": 2.0}, {"quiz": 5.0, "exam": 1.0, "lab": 1.0}) == 3.0


def test_a_zero_counts():
    assert final_grade({"exam": 4.0, "lab": 0.0}, {"exam": 0.5, "lab": 0.5}) == 2.0


def test_with_everything_excused_there_is_no_grade():
    assert final_grade({"exam": None}, {"exam": 1.0}) is None
    assert final_grade({}, {"exam": 1.0}) is None


def test_each_grade_is_brought_to_the_scale_first():
    assert final_grade({"exam": 8.0, "lab": 2.0}, {"exam": 1.0, "lab": 1.0}) == 4.0


def test_the_mean_is_rounded_to_quarters_and_the_middle_goes_up():
    assert final_grade({"exam": 4.3}, {"exam": 1.0}) == 4.25
    assert final_grade({"exam": 4.125}, {"exam": 1.0}) == 4.25
