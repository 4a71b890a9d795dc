"""What is shown of a long work, on a terminal and elsewhere."""

import io

from scribe.plumbing.progress import ignore_progress, show_progress


class Terminal(io.StringIO):
    """Writes down what it is sent, and says it is a terminal."""

    def isatty(self) -> bool:
        return True


def show_two_steps(out: io.StringIO) -> str:
    with show_progress(out) as tell:
        tell("reading", 0, 0)
        tell("reading", 1, 2)
        tell("writing", 0, 0)
        tell("writing", 3, 3)
    return out.getvalue()


def test_elsewhere_each_step_is_a_line_as_it_begins() -> None:
    assert show_two_steps(io.StringIO()) == "reading ...\nwriting ...\n"


def test_elsewhere_a_long_step_gets_a_line_now_and_then_and_none_twice() -> None:
    now, out = 0.0, io.StringIO()
    with show_progress(out, lambda: now) as tell:
        for second in range(25):
            now = float(second)
            tell("judging" if second < 13 else "judging, 1 failed", 4 if second < 13 else 5, 9)
    assert out.getvalue().splitlines() == ["judging ...", "judging, 1 failed: 5 of 9"]


def test_a_note_on_a_step_makes_no_second_bar() -> None:
    out = Terminal()
    with show_progress(out) as tell:
        tell("judging", 1, 2)
        tell("judging, 1 failed", 2, 2)
    shown_last = out.getvalue().rpartition("judging")[2]
    assert "1 failed" in shown_last
    assert shown_last.count("100 %") == 1


def test_on_a_terminal_every_step_ends_full() -> None:
    shown_last = show_two_steps(Terminal()).rpartition("reading")[2]
    assert "writing" in shown_last
    assert shown_last.count("100 %") == 2


def test_progress_can_be_ignored() -> None:
    ignore_progress("reading", 1, 2)
