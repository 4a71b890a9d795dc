import itertools
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from app.study.plan import SIZE, Cell, choose_cell, make_cells
from app.study.store import StaleStep
from tests.app.study.conftest import Hours
from tests.app.study.people import enrol, make_store

PLACES = range(SIZE)


def count_neighbours(orders: list[tuple[int, ...]]) -> set[int]:
    return set(Counter(pair for order in orders for pair in itertools.pairwise(order)).values())


@pytest.mark.parametrize("seed", range(5))
def test_all_36_ways_come_once_in_squares_of_three_and_six(seed: int) -> None:
    cells = make_cells(seed)
    assert len(set(cells)) == len(cells) == 36
    for at in range(0, 36, 3):
        square = cells[at : at + 3]
        for place in PLACES:
            assert {cell.reports[place] for cell in square} == {cell.models[place] for cell in square} == {0, 1, 2}
        assert len({(cell.reports[place], cell.models[place]) for cell in square for place in PLACES}) == 9
    for at in range(0, 36, 6):
        both = cells[at : at + 6]
        assert count_neighbours([cell.reports for cell in both]) == {2}
        assert count_neighbours([cell.models for cell in both]) == {2}


def test_another_seed_is_another_order() -> None:
    assert make_cells(1) != make_cells(2)


def test_what_was_dropped_is_filled_first() -> None:
    assert choose_cell([], 36) == 0
    assert choose_cell([0, 1, 3], 36) == 2
    assert choose_cell([*range(36), 0], 36) == 1


def is_balanced(cells: list[Cell]) -> bool:
    """Each report and model equally often in each place, and each report equally often with each model."""
    places = [Counter((place, cell.reports[place]) for cell in cells for place in PLACES)]
    places.append(Counter((place, cell.models[place]) for cell in cells for place in PLACES))
    places.append(Counter((cell.reports[place], cell.models[place]) for cell in cells for place in PLACES))
    return all(len(each) == 9 and len(set(each.values())) == 1 for each in places)


@pytest.mark.parametrize("seed", range(3))
def test_18_who_finish_are_balanced_however_many_drop_out_before(hours: Hours, seed: int, tmp_path: object) -> None:
    store = make_store(f"{tmp_path}/a.db", hours)
    cells, chance, finished = make_cells(store.study.seed), random.Random(seed), list[Cell]()
    arrived = 0
    while len(finished) < 18:
        arrived += 1
        person = enrol(store)
        fate = chance.random()
        if fate < 0.25:
            hours.now += 4  # leaves, and is given up after three hours
        elif fate < 0.4:
            store.store.withdraw(person)
        else:
            store.finish(person)
            finished.append(cells[store.cell(person)])
        hours.now += 0.1
    assert arrived > 20
    assert is_balanced(finished)


def test_whoever_comes_back_keeps_their_way_and_nobody_else_is_given_it_twice(hours: Hours, tmp_path: object) -> None:
    store = make_store(f"{tmp_path}/a.db", hours)
    first = enrol(store)
    hours.now += 4
    second = enrol(store)
    assert store.cell(first) == store.cell(second)
    store.finish(first)
    assert store.cell(enrol(store)) != store.cell(first)


def test_who_comes_at_the_same_moment_gets_another_way_and_one_of_many_clicks_counts(
    hours: Hours, tmp_path: object
) -> None:
    store = make_store(f"{tmp_path}/a.db", hours)
    with ThreadPoolExecutor(6) as threads:
        people = list(threads.map(lambda _: enrol(store), range(12)))
        assert {store.cell(person) for person in people} == set(range(12))
        clicks = [threads.submit(store.store.ask, people[0], "ask-0-0", "Why?") for _ in range(6)]
        errors = [click.exception() for click in clicks]
    assert sum(error is None for error in errors) == 1
    assert all(isinstance(error, StaleStep) for error in errors if error is not None)
