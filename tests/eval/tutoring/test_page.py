"""The page on a run: what it says of whole and half-finished ones, and that it keeps to itself."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from eval.tutoring.metrics.bootstrap import Estimate, estimate
from eval.tutoring.metrics.by_k import list_k, measure_at_k
from eval.tutoring.metrics.scores import collect_scores
from eval.tutoring.metrics.summary import summarise_run
from eval.tutoring.page.page import build_page, render_tutoring_page, write_tutoring_page
from eval.tutoring.page.tables import tabulate_differences, tabulate_tracing
from eval.tutoring.page.worst import TaskWords, find_worst
from eval.tutoring.protocol.plan import MeasurementPlan
from eval.tutoring.protocol.record import DialogueRound, MeasuredSession
from eval.tutoring.protocol.run import RunOutcome
from eval.tutoring.students.student import LEVELS
from scribe.tutor.session import StudentTurn, TutorTurn
from tests.eval.tutoring.scripted import record

WORDS = {task: TaskWords(f"The task {task}", {"one": "what one is"}) for task in "abcd"}


def sessions(tutor: str, passes: int, tasks: str = "abcd") -> list[MeasuredSession]:
    return [record(tutor, task, level, (1, passes)) for task in tasks for level in LEVELS]


def talk(session: MeasuredSession, text: str, belief: float = 0.5) -> MeasuredSession:
    said = DialogueRound(TutorTurn(text, belief={"one": belief}), StudentTurn("Aha <i>!", "def f(): <b>"), ("one",))
    return replace(session, rounds=(said,) * len(session.rounds))


def render(found: list[MeasuredSession], tutors: tuple[str, ...], missing: int = 0, worst: int = 3) -> str:
    plan = MeasurementPlan(tutors, tuple("abcd"))
    outcome = RunOutcome("finished", len(found) + missing, len(found), {"BackendError: gone": 1} if missing else {})
    summary = summarise_run(found, tutors, plan.tasks)
    return render_tutoring_page(build_page(plan, outcome, found, summary, WORDS, worst, {"other": 2}))


def test_a_whole_run_has_its_table_curves_and_worst_dialogues() -> None:
    page = render([*sessions("good", 9), *sessions("bad", 1)], ("good", "bad"))
    for part in ("Tutoring outcomes", "Pre-Test", "Pass after each round", "Recall@10", "The task a", "other (2)"):
        assert part in page
    assert "sessions are missing" not in page
    assert page.count("data:image/svg+xml") == 2


def test_a_half_finished_run_says_so_and_shows_what_there_is() -> None:
    page = render([*sessions("good", 9), *sessions("bad", 1, "a")[:2]], ("good", "bad"), missing=10)
    assert "10 of 24 sessions are missing" in page
    assert "1 sessions failed: BackendError: gone" in page
    assert "bad: no task has been measured at all three levels yet" in page
    assert "Tutoring outcomes" in page


def test_of_nothing_there_is_a_page_too_and_it_appears_whole(tmp_path: Path) -> None:
    plan = MeasurementPlan(("good",), tuple("abcd"))
    empty = build_page(plan, RunOutcome("interrupted", 12, 0, {}), [], summarise_run([], plan.tutors, "abcd"), WORDS)
    page = write_tutoring_page(tmp_path, empty).read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
    assert "12 of 12 sessions are missing" in page
    assert "No tutor has a task" in page


def test_no_address_is_fetched_no_markup_comes_through_and_what_was_not_heard_is_marked() -> None:
    long = '<img src="http://other.test/x.png"> ' + " ".join(map(str, range(60)))
    page = render([talk(session, long) for session in sessions("good", 2)], ("good",))
    assert "&lt;img" in page
    assert "def f(): &lt;b&gt;" in page
    assert not re.search(r'(?:src|href)=["\'](?!data:|#)', page)
    assert '<span class="unheard">&lt;img' in page


def test_the_worst_dialogue_stands_first_with_what_was_heard_and_learned() -> None:
    found = [record("t", task, "low", (5, passes)) for task, passes in (("a", 6), ("b", 2), ("c", 9))]
    long = talk(found[1], " ".join(map(str, range(70))))
    worst = find_worst([found[0], long, found[2]], "t", WORDS, 2)
    assert [each.session.key.task for each in worst] == ["b", "a"]
    assert worst[0].rounds[0].unheard.split() == [str(number) for number in range(10)]
    assert worst[0].rounds[0].heard.split()[0] == "10"
    assert worst[0].rounds[0].learned == ("one",)


def test_an_interval_that_contains_0_is_told() -> None:
    mixed = [record("b", task, level, (1, 9 if task in "ab" else 2)) for task in "abcd" for level in LEVELS]
    even = [record("a", task, level, (1, 5)) for task in "abcd" for level in LEVELS]
    table = tabulate_differences(summarise_run([*even, *mixed, *sessions("c", 10)], ("a", "b", "c"), "abcd"))
    assert table is not None
    told = {(row["tutor"], row["less"]): row["difference"] for row in table.named_rows() if row["measure"] == "Pass"}
    assert told["c", "a"] == "more"
    assert told["b", "a"] == "none shown: the interval contains 0"


def test_an_estimate_has_a_direction_only_beside_0() -> None:
    def direct(*values: float) -> int:
        return estimate(lambda means: means[..., 0], np.array(values)[:, None]).direction

    assert (direct(1.0, 2.0), direct(-1.0, -2.0), direct(-1.0, 1.0)) == (1, -1, 0)
    assert Estimate(3.0, None).direction == 0


def test_pass_at_k_of_a_level_is_counted_before_and_after() -> None:
    found = sessions("t", 5)
    scores = collect_scores(found, "t")
    assert list_k(found) == (1, 3, 5, 10)
    assert measure_at_k(found, scores, "pass", 1, 0, "low").value == pytest.approx(10.0)
    assert measure_at_k(found, scores, "pass", 1, -1).value == pytest.approx(50.0)
    assert measure_at_k(found, scores, "pass", 10, -1, "high").value == pytest.approx(100.0)


def test_tracing_that_is_right_is_better_than_the_share_and_wrong_tracing_is_worse() -> None:
    def tell(belief: float) -> str:
        half = [replace(each, prior=("one",) if each.key.level == "high" else ()) for each in sessions("t", 5)]
        found = [talk(each, "So.", belief if each.prior else 1 - belief) for each in half]
        table = tabulate_tracing(summarise_run(found, ("t",), "abcd"))
        assert table is not None
        return str(table.named_rows()[0]["told"])

    assert tell(0.95) == "better than the share"
    assert tell(0.05) == "worse than the share"
