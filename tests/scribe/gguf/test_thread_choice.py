"""All threads where the processor is free, one where something else has a part of it; by made-up times."""

import random
from collections.abc import Callable

import pytest

from scribe.gguf.thread_choice import ThreadChoice

STEPS = 1200
Times = Callable[[int, random.Random], float]


def take(times: Times, choice: ThreadChoice, steps: int = STEPS) -> tuple[float, list[int]]:
    """Seconds of all steps, and the threads of each."""
    chance, spent, used = random.Random(0), 0.0, []
    for _ in range(steps):
        seconds = times(choice.count, chance)
        spent += seconds
        used.append(choice.count)
        choice.note(1, seconds)
    return spent, used


def quiet(threads: int, chance: random.Random) -> float:
    return (0.013 if threads == 2 else 0.022) * (1 + 0.1 * chance.random())


def busy(threads: int, chance: random.Random) -> float:
    """Two threads are held up now and then for as long as a time slice; one loses its share and no more."""
    if threads == 2:
        return 0.013 + (0.2 * chance.random() if chance.random() < 0.7 else 0)
    return 0.03 * (1 + 0.5 * chance.random())


@pytest.mark.parametrize(("times", "best"), [(quiet, 2), (busy, 1)])
def test_nearly_all_steps_are_taken_the_faster_way(times: Times, best: int) -> None:
    spent, used = take(times, ThreadChoice(2))
    chance = random.Random(0)
    alone = sum(times(best, chance) for _ in range(STEPS))
    assert used.count(best) / STEPS > 0.9
    assert spent < 1.1 * alone


def test_a_neighbour_that_comes_is_noticed_at_once_and_one_that_goes_soon() -> None:
    choice = ThreadChoice(2)
    take(quiet, choice)
    assert take(busy, choice, 100)[1].count(1) > 70
    assert take(quiet, choice, 600)[1][-100:].count(2) > 80


def test_long_steps_and_a_single_processor_change_nothing() -> None:
    choice, single = ThreadChoice(2), ThreadChoice(1)
    for seconds in range(1, 500):
        choice.note(100, seconds)
        single.note(1, seconds)
    assert (choice.count, single.count) == (2, 1)
