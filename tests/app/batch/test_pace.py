"""What is said of the way there and the time left."""

import io
from collections.abc import Iterator

from app.batch.pace import BatchPace, show_pace
from app.batch.result import RowResult
from scribe.records import Record
from scribe.trajectory import Stop, Task, Trajectory

TASK = Task("mini", "s001", "Why?", "")


def result(stop: Stop) -> RowResult:
    return RowResult(Record.of(Trajectory(TASK, stop=stop), "q", {}), 1.0)


def failure(id: str, why: str) -> RowResult:
    return RowResult.failed(id, TASK, {}, 1.0, OSError(why))


class Watch:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_rate_and_time_left_count_only_what_this_run_did() -> None:
    watch = Watch()
    pace = BatchPace(100, before=40, clock=watch)
    for _ in range(10):
        pace.count(result(Stop.ANSWERED))
    watch.now = 60.0
    assert pace.describe() == "50 of 100 done; 10.0 a minute, about 5 min left"
    pace.count(result(Stop.CONTEXT_FULL))
    pace.count(failure("q7", "no route"))
    pace.count(failure("q8", "no disk"))
    assert pace.describe().startswith("53 of 100 done, 1 unresolved, 2 failed; 13.0 a minute")
    assert pace.trouble == "q7: OSError: no route"


def test_nothing_is_guessed_before_a_row_is_done_and_nothing_is_left_at_the_end() -> None:
    watch = Watch()
    pace = BatchPace(1, clock=watch)
    assert pace.describe() == "0 of 1 done"
    watch.now = 2.0
    pace.count(result(Stop.ANSWERED))
    assert pace.describe() == "1 of 1 done; 30.0 a minute"


def test_a_log_gets_a_line_now_and_then_and_none_twice() -> None:
    watch, out = Watch(), io.StringIO()
    pace = BatchPace(9, clock=watch)
    with show_pace(out, pace) as show:
        for _ in seconds(watch, 25):
            show()
            if watch.now == 12:
                pace.count(result(Stop.ANSWERED))
    assert [line.split(";")[0] for line in out.getvalue().splitlines()] == ["0 of 9 done", "1 of 9 done"]


def seconds(watch: Watch, count: int) -> Iterator[None]:
    for second in range(count):
        watch.now = float(second)
        yield
