"""The line in which questions wait."""

import threading
from contextlib import ExitStack

import pytest

from app.web.line import LineFull, WaitingLine


def test_each_knows_how_many_go_first_and_moves_up_when_one_is_done() -> None:
    line = WaitingLine(at_once=2, waiting=2)
    with ExitStack() as first, ExitStack() as rest:
        done = first.enter_context(line.place())
        places = [rest.enter_context(line.place()) for _ in range(3)]
        assert done(0) == 0
        assert [place(0) for place in places] == [0, 1, 2]
        first.close()
        assert [place(0) for place in places] == [0, 0, 1]


def test_whoever_comes_when_it_is_full_is_told_so() -> None:
    line = WaitingLine(at_once=1, waiting=1)
    with line.place(), line.place(), pytest.raises(LineFull), line.place():
        pass
    with line.place() as count_before:
        assert count_before(0) == 0


def test_a_waiting_one_is_woken_when_its_turn_comes() -> None:
    line, ready = WaitingLine(at_once=1, waiting=1), threading.Event()
    seen: list[int] = []

    def wait() -> None:
        with line.place() as count_before:
            ready.set()
            while count_before(60):
                pass
            seen.append(count_before(0))

    with line.place():
        thread = threading.Thread(target=wait)
        thread.start()
        assert ready.wait(60)
    thread.join(60)
    assert seen == [0]
