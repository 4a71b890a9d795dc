"""Which worker gets which row."""

from app.batch.result import Shares
from app.batch.rows import QuestionRow


def rows(*students: str) -> list[QuestionRow]:
    return [QuestionRow(str(number), "mini", student, "Why?") for number, student in enumerate(students)]


def test_workers_keep_to_a_student_and_help_out_at_the_end() -> None:
    shares = Shares(rows("s1", "s2", "s1", "s2", "s1", "s1"))
    taken = [shares.take(worker) for worker in ("a", "b", "a", "b", "b", "a")]
    assert [row and row.student for row in taken] == ["s1", "s2", "s1", "s2", "s1", "s1"]
    assert [row and row.id for row in taken] == ["0", "1", "2", "3", "4", "5"]
    assert shares.take("a") is None


def test_a_row_that_was_put_back_is_taken_again_first() -> None:
    shares = Shares(rows("s1", "s1", "s2"))
    first = shares.take("a")
    assert first is not None
    shares.put_back(first)
    assert shares.take("b") == rows("s1", "s1", "s2")[2]  # the student that nobody has
    assert shares.take("b") == first
    assert [row and row.id for row in (shares.take("a"), shares.take("a"))] == ["1", None]
