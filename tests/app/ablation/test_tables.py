"""Answers as shares: what counts where, and how a variant is held against the base."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.ablation import tables
from app.ablation.tables import ARGUMENTS, CLEAN, ENDED, TOOL, VariantVerdicts
from eval.tool_use.answers import Expectation
from scribe import records
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Fault, Observation, Stop, Task, Trajectory

TASK = Task("dsp", "s001", "What is week 3 about?", "You watched 4 videos.")
ASKED = Expectation(tools=("map_week_to_topic",), arguments={"map_week_to_topic": {"week": 3}})


def looked(tool: str, week: int = 3) -> Trajectory:
    seen = Observation(True, '{"title": "Filters"}')
    steps = (Act("I look.", (Call(tool, {"week": week}),), (seen,)), Answer("So.", "It is Filters."))
    return Trajectory(TASK, steps, Stop.ANSWERED)


def verdicts(tmp_path: Path, done: Trajectory, asked: Expectation | None = None) -> dict[str, bool | None]:
    records.write(tmp_path / "run.jsonl", [Record.of(done, "q1", {})])
    accepted = {"q1": asked} if asked else {}
    return {
        name: said["q1"]
        for name, said in tables.judge_answers("run", tmp_path / "run.jsonl", accepted).verdicts.items()
    }


def test_what_the_file_accepts_counts_everywhere(tmp_path: Path) -> None:
    assert set(verdicts(tmp_path, looked("map_week_to_topic"), ASKED).values()) == {True}


def test_another_tool_another_week_and_a_fault_count_as_what_they_are(tmp_path: Path) -> None:
    other = verdicts(tmp_path, looked("exercise_search"), ASKED)
    assert (other[ENDED], other[TOOL], other[ARGUMENTS], other[CLEAN]) == (True, False, False, True)
    wrong = looked("map_week_to_topic", week=4)
    mended = verdicts(tmp_path, Trajectory(TASK, (Fault("?", "No."), *wrong.steps), Stop.ANSWERED), ASKED)
    assert (mended[ENDED], mended[TOOL], mended[ARGUMENTS], mended[CLEAN]) == (True, True, False, False)


def test_an_answer_at_once_is_right_where_no_tool_is_needed_and_wrong_elsewhere(tmp_path: Path) -> None:
    done = Trajectory(TASK, looked("x").steps[1:], Stop.ANSWERED)
    assert verdicts(tmp_path, done, ASKED)[TOOL] is False
    assert verdicts(tmp_path, done, replace(ASKED, tools=("",), arguments={}))[TOOL] is True


def test_where_the_file_says_nothing_only_the_end_and_faults_are_counted(tmp_path: Path) -> None:
    said = verdicts(tmp_path, looked("map_week_to_topic"))
    assert [name for name, verdict in said.items() if verdict is not None] == [ENDED, CLEAN]


def test_what_we_failed_at_counts_for_nothing(tmp_path: Path) -> None:
    line = records.to_json(Record.of(Trajectory(TASK), "q1", {}))
    (tmp_path / "run.jsonl").write_text(f'{line[:-1]}, "status": "error", "error": "disk full"}}\n')
    found = tables.judge_answers("run", tmp_path / "run.jsonl", {"q1": ASKED})
    assert {said["q1"] for said in found.verdicts.values()} == {None}


def run_of(name: str, yes: int, of: int = 20) -> VariantVerdicts:
    said: dict[str, bool | None] = {f"q{number}": number < yes for number in range(of)}
    nothing = dict.fromkeys(said)
    return VariantVerdicts(name, {each: said if each == ENDED else nothing for each in tables.MEASURES})


def test_the_table_has_wilsons_interval_and_mcnemars_test_against_the_base() -> None:
    made = tables.tabulate([run_of("base", 10), run_of("two-stage@4", 18), run_of("single@4", 10)])
    rows = {row[1]: dict(zip(made.head, row, strict=True)) for row in made.rows}
    assert list(rows) == ["base", "two-stage@4", "single@4"]  # one measure: nobody has a verdict of the others
    better = rows["two-stage@4"]
    assert (better["low"], better["high"]) == (pytest.approx(0.699, abs=1e-3), pytest.approx(0.972, abs=1e-3))
    assert (better["only this"], better["only base"], better["difference"]) == (8, 0, pytest.approx(0.4))
    assert better["McNemar p"] == pytest.approx(2 / 2**8)
    assert better["McNemar p (Holm)"] == pytest.approx(4 / 2**8)  # two runs are held against the base
    assert rows["single@4"]["McNemar p"] == 1.0 and rows["base"]["McNemar p"] is None


def test_a_trend_needs_three_ranks_of_one_kind() -> None:
    runs = [run_of("base", 10), run_of("two-stage@4", 4), run_of("two-stage@8", 10), run_of("single@4", 3)]
    assert not tables.tabulate_trends(runs).rows
    found = tables.tabulate_trends([*runs, run_of("two-stage@16", 18)]).rows
    assert [(row[0], row[1], row[2], row[3]) for row in found] == [("two-stage", ENDED, "4, 8, 16", 20)]
    assert float(found[0][4] or 0) > 2 and float(found[0][5] or 1) < 0.01
