from lift.building import Building
from lift.cabin import DOWN, UP, Lift


def route(floor, direction, buttons, calls=()):
    lift = Lift(Building(-2, 12, locked={9}), floor, direction)
    lift.buttons = set(buttons)
    return lift.route(list(calls))


def test_on_its_way_up_a_lift_stops_at_the_lowest_floor_first():
    assert route(2, UP, [8, 3, 5]) == [3, 5, 8]


def test_on_its_way_down_a_lift_stops_at_the_highest_floor_first():
    assert route(10, DOWN, [8, 3, 5]) == [8, 5, 3]


def test_going_up_a_lift_serves_lower_floors_on_its_way_back():
    assert route(4, UP, [1, 6, 3, 8]) == [6, 8, 3, 1]


def test_going_down_a_lift_serves_higher_floors_on_its_way_back():
    assert route(4, DOWN, [1, 6, 3, 8]) == [3, 1, 6, 8]


def test_a_lift_with_no_stop_ahead_turns_at_once():
    assert route(10, UP, [1, 6, 3]) == [6, 3, 1]


def test_floors_from_which_people_call_are_stops_too():
    assert route(2, UP, [8], calls=[5, 11]) == [5, 8, 11]


def test_a_floor_pressed_and_called_is_one_stop():
    assert route(2, UP, [8, 5], calls=[5, 5]) == [5, 8]


def test_floors_outside_the_building_and_locked_ones_are_left_out():
    assert route(2, UP, [5, 9, 13], calls=[9, -3]) == [5]


def test_the_floor_where_the_lift_stands_is_left_out():
    assert route(5, UP, [5, 8], calls=[5, 1]) == [8, 1]


def test_floors_may_lie_below_the_ground():
    assert route(0, DOWN, [-1, -2, 3]) == [-1, -2, 3]


def test_without_buttons_and_calls_there_is_no_stop():
    assert route(3, UP, []) == []


def test_asking_for_the_route_changes_no_button():
    lift = Lift(Building(0, 12, locked=set()), 4, UP)
    lift.buttons = {4, 8}
    lift.route([5])
    assert lift.buttons == {4, 8}
