from roads.network import Network, NoRoute


def build(*roads):
    network = Network()
    for one, other, length in roads:
        network.add_road(one, other, length)
    return network


def test_a_route_begins_at_the_start_and_ends_at_the_goal():
    assert build(("Bern", "Thun", 30)).shortest_route("Bern", "Thun") == ["Bern", "Thun"]


def test_a_road_can_be_used_in_both_senses():
    assert build(("Bern", "Thun", 30), ("Spiez", "Thun", 12)).shortest_route("Thun", "Spiez") == ["Thun", "Spiez"]


def test_a_longer_list_of_towns_can_be_the_shorter_way():
    network = build(("A", "D", 10), ("A", "B", 2), ("B", "C", 2), ("C", "D", 2))
    assert network.shortest_route("A", "D") == ["A", "B", "C", "D"]


def test_a_way_found_later_replaces_a_longer_one():
    network = build(("A", "B", 9), ("A", "C", 2), ("C", "B", 3), ("B", "D", 1), ("A", "D", 20))
    assert network.shortest_route("A", "D") == ["A", "C", "B", "D"]


def test_what_counts_is_the_whole_way_and_not_the_last_road():
    network = build(("A", "B", 4), ("B", "C", 3), ("C", "D", 4), ("A", "D", 5))
    assert network.shortest_route("A", "D") == ["A", "D"]


def test_the_nearest_town_is_looked_at_first():
    network = build(("A", "Z", 1), ("A", "B", 5), ("Z", "Y", 1), ("Y", "D", 1), ("B", "D", 1))
    assert network.shortest_route("A", "D") == ["A", "Z", "Y", "D"]
    assert network.shortest_route("D", "A") == ["D", "Y", "Z", "A"]


def test_towns_beside_the_way_are_no_part_of_the_route():
    network = build(("A", "X", 1), ("A", "B", 2), ("B", "C", 2), ("X", "Y", 1))
    assert network.shortest_route("A", "C") == ["A", "B", "C"]


def test_from_a_town_to_itself_the_route_is_that_town():
    assert build(("A", "B", 1)).shortest_route("A", "A") == ["A"]


def test_without_a_road_there_is_no_route():
    network = build(("A", "B", 1), ("C", "D", 1))
    try:
        found = network.shortest_route("A", "D")
    except NoRoute:
        return
    assert found is None, "no exception was raised"
