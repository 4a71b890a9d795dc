from league.table import final_table


def names(teams, *lines):
    return [row.team for row in final_table(teams, list(lines))]


def places(teams, *lines):
    return [(row.place, row.team) for row in final_table(teams, list(lines))]


def test_the_winner_of_a_match_stands_first_with_three_points():
    rows = final_table(["Owls", "Lynx"], ["Lynx - Owls 3:1"])
    assert [(row.team, row.points) for row in rows] == [("Lynx", 3), ("Owls", 0)]


def test_a_draw_gives_a_point_to_both():
    rows = final_table(["Owls", "Lynx"], ["Lynx - Owls 2:2"])
    assert [row.points for row in rows] == [1, 1]


def test_a_guest_can_win():
    assert names(["Lynx", "Owls"], "Lynx - Owls 0:1") == ["Owls", "Lynx"]


def test_points_and_goals_of_all_matches_add_up():
    rows = final_table(["Lynx", "Owls"], ["Lynx - Owls 3:1", "Owls - Lynx 2:0", "Owls - Lynx 1:4"])
    assert [(row.team, row.points, row.scored, row.conceded) for row in rows] == [("Lynx", 6, 7, 4), ("Owls", 3, 4, 7)]


def test_a_team_that_has_not_played_is_in_the_table():
    assert sorted(names(["Bears", "Lynx", "Owls"], "Lynx - Owls 1:0")) == ["Bears", "Lynx", "Owls"]


def test_with_equal_points_the_goal_difference_decides():
    lines = "Bears - Lynx 1:0", "Bears - Owls 0:1", "Owls - Lynx 0:4"
    assert names(["Bears", "Lynx", "Owls"], *lines) == ["Lynx", "Bears", "Owls"]


def test_the_difference_counts_before_the_goals_scored():
    lines = "Bears - Lynx 5:4", "Owls - Foxes 2:0"
    assert names(["Bears", "Foxes", "Lynx", "Owls"], *lines) == ["Owls", "Bears", "Lynx", "Foxes"]


def test_with_equal_difference_more_goals_decide():
    lines = "Bears - Lynx 1:0", "Owls - Foxes 3:2"
    assert names(["Bears", "Foxes", "Lynx", "Owls"], *lines) == ["Owls", "Bears", "Foxes", "Lynx"]


def test_teams_that_are_level_stand_in_alphabetical_order():
    assert names(["Owls", "Lynx", "Bears"]) == ["Bears", "Lynx", "Owls"]


def test_places_count_from_one():
    lines = "Bears - Lynx 1:0", "Bears - Owls 2:0", "Lynx - Owls 1:0"
    assert places(["Bears", "Lynx", "Owls"], *lines) == [(1, "Bears"), (2, "Lynx"), (3, "Owls")]


def test_level_teams_share_a_place_and_the_next_place_is_left_out():
    lines = "Bears - Lynx 1:0", "Owls - Foxes 1:0", "Bears - Owls 1:1", "Foxes - Lynx 1:0"
    expected = [(1, "Bears"), (1, "Owls"), (3, "Foxes"), (4, "Lynx")]
    assert places(["Bears", "Foxes", "Lynx", "Owls"], *lines) == expected


def test_any_number_of_level_teams_can_share_a_place():
    assert places(["Bears", "Lynx", "Owls"]) == [(1, "Bears"), (1, "Lynx"), (1, "Owls")]


def test_equal_points_alone_are_not_the_same_place():
    lines = "Bears - Lynx 1:0", "Owls - Foxes 2:0"
    expected = [(1, "Owls"), (2, "Bears"), (3, "Lynx"), (4, "Foxes")]
    assert places(["Bears", "Foxes", "Lynx", "Owls"], *lines) == expected
