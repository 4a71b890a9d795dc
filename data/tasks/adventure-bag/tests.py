from adventure.bag import Bag, Cursed
from adventure.places import Place
from adventure.things import Door, Scenery, Thing


def test_things_are_in_the_bag_in_the_order_of_the_room():
    bag = Bag(1000)
    bag.take_all(Place(Thing("lamp", 300), Thing("rope", 200), Thing("key", 10)))
    assert bag.names() == ["lamp", "rope", "key"]


def test_what_is_in_the_bag_is_no_longer_in_the_room():
    room = Place(Thing("lamp", 300), Thing("rope", 200), Thing("key", 10))
    Bag(1000).take_all(room)
    assert room.names() == []


def test_if_everything_fits_nothing_is_reported():
    assert Bag(500).take_all(Place(Thing("lamp", 300), Thing("rope", 200))) == []


def test_what_is_too_heavy_stays_in_the_room_and_is_reported_by_its_name():
    bag, room = Bag(500), Place(Thing("lamp", 300), Thing("anvil", 9000))
    assert bag.take_all(room) == ["anvil"]
    assert room.names() == ["anvil"]
    assert bag.names() == ["lamp"]


def test_after_something_too_heavy_the_others_are_still_tried():
    bag = Bag(500)
    assert bag.take_all(Place(Thing("anvil", 9000), Thing("lamp", 300), Thing("chest", 400), Thing("key", 10))) == [
        "anvil",
        "chest",
    ]
    assert bag.names() == ["lamp", "key"]


def test_what_the_bag_holds_already_counts():
    bag = Bag(500)
    bag.put(Thing("bread", 400))
    assert bag.take_all(Place(Thing("lamp", 300))) == ["lamp"]
    assert bag.names() == ["bread"]


def test_scenery_of_any_sort_stays_and_is_not_mentioned():
    bag, room = Bag(500), Place(Scenery("fountain"), Door("red door"), Thing("key", 10))
    assert bag.take_all(room) == []
    assert room.names() == ["fountain", "red door"]
    assert bag.names() == ["key"]


def test_a_curse_is_not_kept_from_the_caller():
    bag = Bag(500)
    try:
        bag.take_all(Place(Thing("key", 10), Thing("ring", 5, cursed=True), Thing("rope", 200)))
    except Cursed:
        assert bag.names() == ["key"]
        return
    raise AssertionError("no exception was raised")
