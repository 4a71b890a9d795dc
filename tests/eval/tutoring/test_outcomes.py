"""Outcomes, rates, curves and differences against small cases counted by hand."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eval.tutoring.metrics.bootstrap import estimate
from eval.tutoring.metrics.dialogues import describe_dialogues, measure_tracing
from eval.tutoring.metrics.outcome import compare_tutors, measure_outcomes, trace_curve
from eval.tutoring.metrics.scores import collect_scores
from eval.tutoring.metrics.summary import make_summary_tables, summarise_run, write_run_summary
from eval.tutoring.protocol.record import DialogueRound, MeasuredSession
from eval.tutoring.students.student import LEVELS
from scribe.plumbing.errors import UsageError
from scribe.tutor.session import StudentTurn, TokenUse, TutorTurn
from tests.eval.tutoring.scripted import record


def sessions(tutor: str, after: int, tasks: str = "abcd", before: int = 1) -> list[MeasuredSession]:
    """Of each task at each level: `before` of ten programs pass, then `after` on even tasks and all on odd ones."""
    return [
        record(tutor, task, level, (before, after if at % 2 == 0 else 10))
        for at, task in enumerate(tasks)
        for level in LEVELS
    ]


def test_all_of_ten_is_a_hundred_percent_and_the_rate_is_the_gain_over_what_was_before() -> None:
    found = measure_outcomes(collect_scores(sessions("t", after=10), "t"))["pass"]["overall"]
    one_of_ten = 100 * (0.1 + 0.3 + 0.5 + 1.0) / 4
    assert found.before.value == pytest.approx(one_of_ten)
    assert found.after.value == pytest.approx(100.0)
    assert found.gain.value == pytest.approx(100 - one_of_ten)
    assert found.rate.value == pytest.approx(100 * (100 - one_of_ten) / one_of_ten)
    assert found.rate.interval is not None
    assert found.rate.interval.low == pytest.approx(found.rate.value)  # all tasks are alike


def test_over_nothing_there_is_no_rate_but_a_gain() -> None:
    found = measure_outcomes(collect_scores(sessions("t", after=10, before=0), "t"))["pass"]["low"]
    assert (found.rate.value, found.rate.interval) == (None, None)
    assert found.gain.value == pytest.approx(100.0)


def test_a_dialogue_that_ended_keeps_its_last_value() -> None:
    scores = collect_scores([record("t", "a", level, (0, 0, 10)) for level in LEVELS], "t")
    curve = [point.value for point in trace_curve(scores, "pass")]
    assert curve == pytest.approx([0.0, 0.0] + [100.0] * 7)


def test_several_seeds_of_a_task_are_one_value() -> None:
    found = [record("t", "a", level, (0, passes), seed=seed) for level in LEVELS for seed, passes in ((0, 0), (1, 10))]
    assert measure_outcomes(collect_scores(found, "t"))["pass"]["overall"].after.value == pytest.approx(50.0)


def test_a_task_that_lacks_a_level_is_missing_and_no_zero() -> None:
    found = [*sessions("t", after=10, tasks="ab"), record("t", "c", "low", (0, 0))]
    scores = collect_scores(found, "t", wanted="abcd")
    assert scores.tasks == ("a", "b")
    assert scores.missing == ("c", "d")
    assert measure_outcomes(scores)["pass"]["overall"].after.value == pytest.approx(100.0)


def test_two_tutors_are_compared_on_the_same_tasks() -> None:
    better, worse = sessions("better", after=10), sessions("worse", after=1)
    one, other = collect_scores(better, "better"), collect_scores(worse[: 3 * len(LEVELS)], "worse")
    found = compare_tutors(one, other, "pass")
    one_of_ten = 100 * (0.1 + 0.3 + 0.5 + 1.0) / 4
    assert found.tasks == 3
    assert found.outcome.value == pytest.approx((100 - one_of_ten) * 2 / 3)
    assert found.outcome.interval is not None
    assert found.outcome.interval.low <= found.outcome.value <= found.outcome.interval.high
    assert compare_tutors(other, one, "pass").outcome.value == pytest.approx(-found.outcome.value)
    with pytest.raises(UsageError, match="no task in common"):
        compare_tutors(one, collect_scores(sessions("x", 1, tasks="z"), "x"), "pass")


def test_an_interval_by_tasks_is_as_wide_as_theory_says() -> None:
    values = np.random.default_rng(1).normal(size=(200, 1))
    found = estimate(lambda means: means[..., 0], values).interval
    assert found is not None
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / np.sqrt(200), rel=0.1)


def test_pairing_by_task_takes_out_what_tasks_have_in_common() -> None:
    task = np.random.default_rng(1).normal(size=100)
    paired = np.stack([task, task + 0.1], axis=1)
    found = estimate(lambda means: means[..., 1] - means[..., 0], paired).interval
    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.1, 0.1))


def test_of_one_task_there_is_a_value_and_no_interval() -> None:
    found = estimate(lambda means: means[..., 0], np.array([[3.0]]))
    assert (found.value, found.interval) == (3.0, None)


def test_words_beyond_sixty_are_load_and_lost() -> None:
    turns = (DialogueRound(TutorTurn("a " * 90, use=TokenUse(7, 3)), StudentTurn("b")),)
    turns += (DialogueRound(TutorTurn("a " * 30), StudentTurn("b"), ruled=False),)
    found = describe_dialogues([replace(record("t", "a", "low", (0,)), rounds=turns, end="goal")])
    assert found is not None
    assert (found.words, found.overloaded, found.lost, found.rounds) == (60.0, 0.5, 0.25, 2.0)
    assert (found.reached, found.unruled, found.prompt, found.completion) == (1.0, 1, 7.0, 3.0)


def test_a_belief_is_held_against_what_the_student_knew_when_the_tutor_spoke() -> None:
    turns = (
        DialogueRound(TutorTurn("a", belief={"x": 0.0, "y": 1.0}), StudentTurn("b"), ("x", "y")),
        DialogueRound(TutorTurn("a", belief={"x": 1.0, "y": 1.0}), StudentTurn("b"), ("x", "y")),
    )
    session = replace(record("t", "a", "low", (0,)), rounds=turns, prior=("y",))
    found = measure_tracing([session])
    assert found is not None
    assert (found.pairs, found.brier) == (4, pytest.approx(0.0001))
    assert found.loss < found.always
    wrong = measure_tracing([replace(session, prior=("x",))])
    assert wrong is not None
    assert wrong.loss > wrong.always
    assert measure_tracing([replace(session, prior=None, rounds=(replace(turns[0], known=None),))]) is None


def test_the_summary_is_json_and_its_table_begins_as_the_paper_s(tmp_path: Path) -> None:
    found = [*sessions("worse", 1), *sessions("better", 10, before=1)]
    summary = summarise_run(found, ("worse", "better", "absent"), "abcd")
    write_run_summary(tmp_path / "summary.json", summary, {"students": "knowledge"})
    said = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert [each["tutor"] for each in said["tutors"]] == ["worse", "better"]
    assert said["differences"]["pass"][0]["tutor"] == "better"
    assert said["tutors"][1]["outcomes"]["pass"]["overall"]["after"]["value"] == pytest.approx(100.0)
    table = make_summary_tables(summary)[0]
    assert [row[0] for row in table.rows] == ["Pre-Test", "worse", "better"]
    assert "better" in table.markdown()
