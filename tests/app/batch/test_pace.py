"""What is said of the way there."""

import io

from app.batch.job import show_pace


def test_a_log_gets_a_line_now_and_then_and_none_twice() -> None:
    now, out = 0.0, io.StringIO()
    with show_pace(out, 9, lambda: now) as show:
        for second in range(25):
            now = float(second)
            show(4 if second < 13 else 5, 0 if second < 13 else 1)
    assert out.getvalue().splitlines() == ["4 of 9 done", "5 of 9 done, 1 failed"]
