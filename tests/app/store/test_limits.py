import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from app.store.database import Database
from app.store.limits import DAY, LEASE, LimitReached, QuestionLimits
from app.store.schema import RunningRow
from app.store.settings import LimitSettings
from tests.app.store.conftest import Clock


def ask(limits: QuestionLimits, person: str = "ada") -> None:
    with limits.question(person):
        pass


def test_one_question_a_person_at_a_time(database: Database, clock: Clock) -> None:
    here, there = (QuestionLimits(database, LimitSettings(), clock) for _ in range(2))
    with here.question("ada"):
        with pytest.raises(LimitReached) as raised, there.question("ada"):
            pass
        assert raised.value.kind == "running"
        ask(there, "bob")
    ask(there)


def test_a_refused_question_does_not_end_the_running_one(database: Database, clock: Clock) -> None:
    limits = QuestionLimits(database, LimitSettings(), clock)
    with limits.question("ada"):
        for _ in range(2):
            with pytest.raises(LimitReached):
                ask(limits)


def test_a_question_whose_process_died_keeps_its_person_out_only_for_a_while(database: Database, clock: Clock) -> None:
    limits = QuestionLimits(database, LimitSettings(), clock)
    left = limits.question("ada")
    left.__enter__()
    clock.now += LEASE + 1
    ask(limits)


def test_too_many_a_minute_are_told_when_to_come_back(database: Database, clock: Clock) -> None:
    limits = QuestionLimits(database, LimitSettings(per_minute=2), clock)
    ask(limits)
    clock.now += 20
    ask(limits)
    clock.now += 20
    with pytest.raises(LimitReached) as raised:
        ask(limits)
    assert (raised.value.kind, raised.value.seconds) == ("minute", 20)
    clock.now += 21
    ask(limits)


def test_too_many_a_day_likewise_and_others_are_not_touched(database: Database, clock: Clock) -> None:
    limits = QuestionLimits(database, LimitSettings(per_minute=0, per_day=3), clock)
    for _ in range(3):
        ask(limits)
    with pytest.raises(LimitReached) as raised:
        ask(limits)
    assert (raised.value.kind, raised.value.seconds) == ("day", int(DAY))
    ask(limits, "bob")
    clock.now += DAY
    ask(limits)


def test_of_many_at_once_one_is_let_in(database: Database) -> None:
    limits, together = QuestionLimits(database, LimitSettings()), Barrier(6, timeout=60)

    def rush(_: int) -> str:
        together.wait()
        try:
            with limits.question("ada"):
                together.wait()
                return "in"
        except LimitReached as refused:
            together.wait()
            return refused.kind

    with ThreadPoolExecutor(6) as threads:
        assert sorted(threads.map(rush, range(6))) == ["in", *["running"] * 5]


def test_a_question_whose_process_was_killed_keeps_its_person_out_no_longer(
    address: str, database: Database, clock: Clock
) -> None:
    holds = """
import sys, time
from app.store.database import open_database
from app.store.limits import QuestionLimits
from app.store.settings import LimitSettings
with QuestionLimits(open_database(sys.argv[1]), LimitSettings(), lambda: 1_800_000_000.0).question("ada"):
    print("in", flush=True)
    time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", holds, address], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"in\n"
        limits = QuestionLimits(database, LimitSettings(), clock)
        with pytest.raises(LimitReached):
            ask(limits)
        holder.kill()
        holder.wait()
        ask(limits)


def test_of_another_machine_nobody_here_knows_whether_it_lives(database: Database, clock: Clock) -> None:
    limits = QuestionLimits(database, LimitSettings(), clock)
    with database.transaction() as session:
        session.add(RunningRow(person="ada", ticket="elsewhere.1.100.abc", until=clock.now + LEASE))
        session.add(RunningRow(person="bob", ticket="0123456789abcdef", until=clock.now + LEASE))  # an earlier version
    for person in ("ada", "bob"):
        with pytest.raises(LimitReached):
            ask(limits, person)


def test_what_was_asked_while_the_clock_was_ahead_counts_no_longer_when_it_is_right_again(
    database: Database, clock: Clock
) -> None:
    limits = QuestionLimits(database, LimitSettings(per_minute=1, per_day=1), clock)
    clock.now += 365 * DAY
    limits.question("bob").__enter__()
    ask(limits)
    clock.now -= 365 * DAY
    ask(limits)
    ask(limits, "bob")
