from travel.cache import CachedDistances
from travel.source import UnknownCity

PLACES = {"Arles": (0.0, 0.0), "Brest": (3.0, 4.0), "Caen": (0.0, 5.0), "Dijon": (6.0, 8.0), "Ax": (0.0, 0.0)}


def build(size=9):
    return CachedDistances(PLACES, size)


def is_remembered(cache, one, other):
    """Whether a distance is returned without being asked for."""
    before = len(cache.asked)
    cache.distance(one, other)
    return len(cache.asked) == before


def test_a_distance_that_is_not_known_is_asked_for():
    cache = build()
    assert cache.distance("Arles", "Brest") == 5.0
    assert cache.asked == [("Arles", "Brest")]


def test_a_distance_is_asked_for_once():
    cache = build()
    assert [cache.distance("Arles", "Dijon") for _ in range(3)] == [10.0, 10.0, 10.0]
    assert len(cache.asked) == 1


def test_several_distances_are_remembered_beside_each_other():
    cache = build()
    cache.distance("Arles", "Brest")
    cache.distance("Arles", "Caen")
    assert is_remembered(cache, "Arles", "Brest")
    assert is_remembered(cache, "Arles", "Caen")


def test_the_direction_does_not_matter():
    cache = build()
    assert cache.distance("Brest", "Arles") == cache.distance("Arles", "Brest") == 5.0
    assert len(cache.asked) == len(cache) == 1


def test_a_distance_of_zero_is_remembered_too():
    cache = build()
    assert cache.distance("Arles", "Ax") == 0.0
    assert is_remembered(cache, "Arles", "Ax")


def test_every_remembered_answer_is_a_hit():
    cache = build()
    for _ in range(4):
        cache.distance("Arles", "Brest")
    assert cache.hits == 3


def test_no_more_than_size_pairs_are_remembered():
    cache = build(size=2)
    for city in ("Brest", "Caen", "Dijon"):
        cache.distance("Arles", city)
    assert len(cache) == 2


def test_a_full_cache_drops_the_oldest_pair_and_no_other():
    cache = build(size=2)
    for city in ("Brest", "Caen", "Dijon"):
        cache.distance("Arles", city)
    assert is_remembered(cache, "Arles", "Caen")
    assert is_remembered(cache, "Arles", "Dijon")
    assert not is_remembered(cache, "Arles", "Brest")


def test_a_pair_that_is_used_again_becomes_the_newest():
    cache = build(size=2)
    cache.distance("Arles", "Brest")
    cache.distance("Arles", "Caen")
    cache.distance("Arles", "Brest")
    cache.distance("Arles", "Dijon")
    assert is_remembered(cache, "Arles", "Brest")
    assert not is_remembered(cache, "Arles", "Caen")


def test_an_unknown_city_is_an_error_and_drops_nothing():
    cache = build(size=1)
    cache.distance("Arles", "Brest")
    try:
        cache.distance("Arles", "Zurich")
    except UnknownCity:
        assert is_remembered(cache, "Arles", "Brest")
        return
    raise AssertionError("no UnknownCity was raised")
