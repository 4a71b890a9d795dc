"""Work in threads: every item once, as it comes or in order, until somebody stops it."""

import threading
from collections.abc import Callable

import pytest

from scribe.plumbing.threads import map_in_threads, run_in_threads


def test_every_item_is_worked_on_once_and_nothing_is_lost() -> None:
    results = run_in_threads(lambda item, _: item if item % 10 else None, range(1, 200), threads=4)
    assert sorted(result for result in results if result is not None) == [n for n in range(200) if n % 10]


def test_results_come_in_order_though_the_first_is_done_last() -> None:
    others = threading.Event()

    def work(item: int) -> int:
        if item == 0:
            assert others.wait(20)
        elif item == 3:
            others.set()
        return item * item

    assert list(map_in_threads(work, range(20), threads=3)) == [n * n for n in range(20)]


def test_no_more_is_begun_than_is_read() -> None:
    begun: list[int] = []

    def work(item: int, stopped: Callable[[], bool]) -> int:
        begun.append(item)
        return item

    results = run_in_threads(work, range(1000), threads=2)
    assert next(result for result in results if result is not None) in (0, 1)
    results.close()
    assert len(begun) <= 5


def test_a_stop_begins_nothing_more_and_waits_for_what_is_under_way() -> None:
    asked, begun = threading.Event(), threading.Event()

    def work(item: int, stopped: Callable[[], bool]) -> str:
        begun.set()
        assert asked.wait(20)
        return f"{item}, stopped: {stopped()}"

    results = run_in_threads(work, range(9), threads=1, stopped=asked.is_set)
    assert next(results) is None and begun.wait(20)
    asked.set()
    assert [result for result in results if result is not None] == ["0, stopped: True"]


def test_a_thread_that_hangs_is_left_behind_when_the_grace_is_over() -> None:
    released = threading.Event()
    stopped = threading.Event()

    def work(item: int, over: Callable[[], bool]) -> int:
        stopped.set()
        released.wait(60)
        return item

    assert not [each for each in run_in_threads(work, [1], 1, stopped.is_set, grace=0.0) if each is not None]
    released.set()


def test_what_the_work_or_the_items_raise_is_raised_where_results_are_read() -> None:
    def refuse(item: int) -> int:
        if item == 2:
            raise ValueError("two")
        return item

    with pytest.raises(ValueError, match="two"):
        list(map_in_threads(refuse, range(5), threads=2))
    with pytest.raises(ZeroDivisionError):
        list(map_in_threads(refuse, (1 // (1 - at) for at in range(2)), threads=2))


def test_nothing_to_do_needs_no_threads() -> None:
    assert list(map_in_threads(str, [], threads=3)) == []
