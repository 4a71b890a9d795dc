"""Judgements for the tests of the report, from letters: y yes, n no, ? unreadable, one for each answer."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from eval.judge.judgement import Judgement, Label, Verdict, digest_answer, to_json
from eval.report.runs import EvaluatedRun
from eval.tool_use.answers import AnswerRow
from tests.eval.tool_use.rows import answered

VERDICTS: dict[str, Verdict] = {"y": "yes", "n": "no", "?": "unparsed"}


def judged(
    letters: str,
    criterion: str = "relevance",
    judge: str = "strong",
    repeat: int = 0,
    run: str = "run",
    answers: Sequence[AnswerRow] = (),
) -> list[Judgement]:
    """A judgement of answers a0, a1, … or of those given; a blank is none at all."""
    texts = {row.id: digest_answer(row.record) for row in answers or rows(len(letters))}
    return [
        Judgement(
            f"a{number}", run, criterion, judge, f"{judge}-1", repeat, VERDICTS[letter], "Because.", 0.1, 9, 9,
            f"{run}{number}{criterion}{judge}{repeat}", texts[f"a{number}"],
        )
        for number, letter in enumerate(letters)
        if letter != " "
    ]  # fmt: skip


def rows(count: int, course: str = "mini") -> tuple[AnswerRow, ...]:
    """Answers a0, a1, …"""
    return tuple(answered(f"a{number}", course=course) for number in range(count))


def run(name: str, *judgements: Judgement, answers: tuple[AnswerRow, ...] = rows(4)) -> EvaluatedRun:
    return EvaluatedRun(name, Path(f"{name}.jsonl"), answers, judgements)


def write(path: Path, lines: Iterable[Judgement | Label]) -> Path:
    path.write_text("".join(to_json(line) + "\n" for line in lines), encoding="utf-8")
    return path
