"""The step from questions to trajectories, by the expert and by a model on this machine that is scripted."""

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from eval.judge.scripted_judge import Body, Said, ScriptedJudge, judging
from finetune import manifest
from finetune.questions.row import Row, write
from finetune.trajectories import journal, rooms
from finetune.trajectories.hired import HiredTeacher
from finetune.trajectories.outcome import NO_INTENT
from finetune.trajectories.run import beside, run
from finetune.trajectories.settings import TrajectorySettings
from scribe import records
from scribe.errors import BackendError, RecordError, UsageError
from scribe.trajectory import Exchange
from tests.finetune.trajectories.rows import row, scripted_rooms

SCRIPTED = TrajectorySettings(slips=0.0)
CALL = (
    'I look. [END_OF_REASONING]\n[TOOL_CALL]{"name": "map_week_to_topic", "arguments": {"week": 6}}[END_OF_TOOL_CALL]'
)
DONE = "I know. [END_OF_REASONING]\n[FINAL_ANSWER]Look at your report again.[END_OF_FINAL_ANSWER]"


def api(url: str, **others: Any) -> TrajectorySettings:
    return TrajectorySettings("api", base_url=url, model="asked-for", pause=0.01, **others)


def answering(settings: TrajectorySettings, questions: Path, out: Path) -> Mapping[str, Any]:
    """Run the step and give what it counted."""
    run(settings, questions, out, make=scripted_rooms)
    made = manifest.read(out)
    assert made is not None and manifest.beside(out).exists()
    return made.counts


def talking(body: Body, number: int) -> Said:
    """First a call, then the answer."""
    return Said(DONE if "[TOOL_RESULT]" in body["messages"][-1]["content"] else CALL)


def asked_for(body: Body) -> str:
    """The question that a request is about."""
    said = [each["content"] for each in body["messages"] if each["role"] == "user"]
    return str(next(text for text in said if "Question " in text).split("Question ")[1].split("?")[0])


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    write(path, [row(f"q{n}", "week_topics", f"Question {n}?", week=n + 1) for n in range(6)])
    return path


def test_the_expert_answers_in_the_order_of_the_questions_and_failures_lie_beside(tmp_path: Path) -> None:
    questions, out = tmp_path / "q.jsonl", tmp_path / "out" / "t.jsonl"
    rows = [row("b", "week_topics", week=6), row("none", ""), row("a", "grade"), row("lacking", "week_why")]
    write(questions, rows)
    told = answering(SCRIPTED, questions, out)
    made = list(records.read(out))
    assert [each.id for each in made] == ["b", "a"] and made[0].model["intent"] == "week_topics"
    assert told["failed"] == {NO_INTENT: 1, "slot missing": 1} and (told["rows"], told["answered"]) == (4, 2)
    failed = [json.loads(line) for line in beside(out).read_text().splitlines()]
    assert [each["id"] for each in failed] == ["none", "lacking"] and 'teacher = "api"' in failed[0]["detail"]
    assert not journal.beside(out).exists()


def test_the_same_questions_give_the_same_file_and_a_done_step_does_nothing(questions: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "t.jsonl", tmp_path / "u.jsonl"
    settings = replace(SCRIPTED, slips=0.5)
    answering(settings, questions, out)
    answering(settings, questions, other)
    assert out.read_bytes() == other.read_bytes()
    before = out.stat().st_mtime_ns
    answering(replace(settings, parallel=3), questions, out)
    assert out.stat().st_mtime_ns == before
    answering(SCRIPTED, questions, out)
    assert out.stat().st_mtime_ns != before and out.read_bytes() != other.read_bytes()


def test_a_file_of_a_language_model_needs_a_model(tmp_path: Path) -> None:
    write(tmp_path / "q.jsonl", [row("q", "")])
    with pytest.raises(UsageError, match='teacher = "api"'):
        run(SCRIPTED, tmp_path / "q.jsonl", tmp_path / "t.jsonl", make=scripted_rooms)
    write(tmp_path / "q.jsonl", [])
    with pytest.raises(UsageError, match="holds no questions"):
        run(SCRIPTED, tmp_path / "q.jsonl", tmp_path / "t.jsonl", make=scripted_rooms)


@pytest.mark.parametrize(
    "wrong", [{"course": "nowhere"}, {"student": "nobody"}, {"theory": "astrology"}], ids=lambda each: str(*each)
)
def test_a_row_that_does_not_fit_its_course_is_named_by_file_and_line(tmp_path: Path, wrong: dict[str, str]) -> None:
    path = tmp_path / "q.jsonl"
    write(path, [row("a", "grade"), replace(row("b", "grade"), **wrong)])  # type: ignore[arg-type]
    with pytest.raises(RecordError, match=rf"q\.jsonl:2: .*{next(iter(wrong.values()))}"):
        run(SCRIPTED, path, tmp_path / "t.jsonl", make=scripted_rooms)


def test_a_model_drives_the_same_tools_several_questions_at_once_and_its_cost_is_told(
    questions: Path, tmp_path: Path
) -> None:
    together = threading.Barrier(3)  # nobody is answered before three have asked

    def script(body: Body, number: int) -> Said:
        together.wait(timeout=20)
        return talking(body, number)

    with judging(script) as server:
        settings = api(server.url, parallel=3, input_price=10.0, output_price=100.0)
        told = answering(settings, questions, tmp_path / "t.jsonl")
    assert told["answered"] == 6 and told["tokens"] == {"prompt": 1200, "cached": 0, "completion": 240}
    assert told["dollars"] == pytest.approx(1200 * 10e-6 + 240 * 100e-6) and told["unmetered"] == 0
    made = list(records.read(tmp_path / "t.jsonl"))
    assert [each.id for each in made] == [f"q{n}" for n in range(6)]
    assert all("Week 6 is about" in each.trajectory.acts[0].observations[0].content for each in made)
    read = manifest.read(tmp_path / "t.jsonl")
    assert read is not None and read.models == ["scripted-judge-2026"]


def test_rows_without_an_intent_are_answered_by_a_model(tmp_path: Path) -> None:
    history = (Exchange("Question before?", "An answer before."),)
    write(tmp_path / "q.jsonl", [replace(row("q", "", "Question 1?"), history=history)])
    with judging(talking) as server:
        told = answering(api(server.url), tmp_path / "q.jsonl", tmp_path / "t.jsonl")
        assert "An answer before." in json.dumps(server.asked[0])
    assert told["answered"] == 1 and told["shows"]["follow_up"] == 1


def test_only_what_changed_is_asked_again(questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    with judging(talking) as server:
        answering(api(server.url), questions, out)
        first = len(server.asked)
        rows = [row(f"q{n}", "week_topics", f"Question {n}?", week=n + 1) for n in range(6)]
        write(questions, [*rows[:5], replace(rows[5], question="Question 99?")])
        answering(api(server.url), questions, out)
        assert {asked_for(each) for each in server.asked[first:]} == {"99"}
        answering(api(server.url, temperature=0.9), questions, out)
        assert len(server.asked) == 2 * first + 2


def test_a_question_that_ends_without_an_answer_is_tried_again_and_counted(questions: Path, tmp_path: Path) -> None:
    def script(body: Body, number: int) -> Said:
        bad = asked_for(body) == "0" or (asked_for(body) == "1" and body["seed"] < 1000)
        return Said("Nothing to say.") if bad else talking(body, number)

    with judging(script) as server:
        told = answering(api(server.url, tries=2), questions, tmp_path / "t.jsonl")
    assert told["answered"] == 5 and told["failed"] == {"unresolved": 1}
    (failed,) = [json.loads(line) for line in beside(tmp_path / "t.jsonl").read_text().splitlines()]
    assert failed["id"] == "q0" and "neither" in failed["detail"]
    spent = len(server.asked) * 100
    assert told["tokens"]["prompt"] == spent, "tries that failed cost too"


def test_what_the_server_fails_is_counted_and_asked_again_next_time(questions: Path, tmp_path: Path) -> None:
    out, broken = tmp_path / "t.jsonl", {"2", "4"}

    def script(body: Body, number: int) -> Said:
        return Said("overloaded", 503) if asked_for(body) in broken else talking(body, number)

    with judging(script) as server:
        told = answering(api(server.url), questions, out)
        assert told["failed"] == {"server": 2} and told["answered"] == 4
        with pytest.raises(BackendError, match="goes on from there"):
            run(api(server.url, max_errors=1, seed=1), questions, out, make=scripted_rooms)
        before = len(server.asked)
        broken.clear()
        manifest.beside(out).unlink()
        told = answering(api(server.url), questions, out)
        assert told["failed"] == {} and {asked_for(each) for each in server.asked[before:]} == {"2", "4"}


def test_a_refused_key_stops_the_run_at_once(questions: Path, tmp_path: Path) -> None:
    with judging(lambda body, number: Said("no", 401)) as server, pytest.raises(BackendError, match="API key"):
        run(api(server.url, parallel=1), questions, tmp_path / "t.jsonl", make=scripted_rooms)
    assert len(server.asked) == 1 and not (tmp_path / "t.jsonl").exists()


def test_the_budget_stops_a_run_and_a_higher_one_goes_on(questions: Path, tmp_path: Path) -> None:
    prices = {"input_price": 10_000.0, "parallel": 1}  # 2 dollars a question of two turns
    out = tmp_path / "t.jsonl"
    with judging(talking) as server:
        with pytest.raises(UsageError, match=r"4\.00 dollars of 3\.00"):
            run(api(server.url, budget=3.0, **prices), questions, out, make=scripted_rooms)
        assert len(server.asked) == 4 and not out.exists()
        told = answering(api(server.url, budget=50.0, **prices), questions, out)
        assert told["dollars"] == 12.0 and len(server.asked) == 12


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"base_url": "https://api.example.org/v1"}, "remote = true"),
        ({"model": ""}, "model is missing"),
        ({"budget": 1.0}, "input_price"),
        ({"parallel": 0}, "at least 1"),
        ({"slips": 2.0}, "chance"),
        ({"kinds": ("sulk",)}, "it may have: unknown_tool"),
    ],
)
def test_settings_that_cannot_be_are_refused(change: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        replace(api("http://127.0.0.1:1/v1"), **change)
    if "base_url" in change:
        assert replace(api("http://127.0.0.1:1/v1"), **change, remote=True).remote


def _killed_when(server: ScriptedJudge, requests: int, start: Callable[[], None]) -> int:
    """Run the step in a process of its own, which is killed in the middle of this request; its exit code."""
    child = multiprocessing.get_context("fork").Process(target=start)
    child.start()
    reached = threading.Event()
    script = server.script

    def killing(body: Body, number: int) -> Said:
        if number == requests:
            os.kill(child.pid or 0, signal.SIGKILL)
            reached.set()
        return script(body, number)

    server.script = killing
    child.join(30)
    server.script = script
    assert reached.is_set()
    return child.exitcode or 0


def test_a_run_that_is_killed_goes_on_and_asks_nothing_twice(questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    with judging(talking) as server:
        settings = api(server.url, parallel=1)
        start = partial(run, settings, questions, out, make=scripted_rooms)
        assert _killed_when(server, 5, start) == -signal.SIGKILL
        assert not out.exists()
        # What the kill tore: half a line.
        with journal.beside(out).open("ab") as file:
            file.write(b'{"fingerprint": "ab')
        told = answering(settings, questions, out)
        kept = [asked_for(each) for each in server.asked[:4]]
        assert set(kept).isdisjoint(asked_for(each) for each in server.asked[6:])
    assert told["answered"] == 6 and [each.id for each in records.read(out)] == [f"q{n}" for n in range(6)]


def test_two_runs_cannot_write_the_same_file(questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    with journal.Journal(journal.beside(out)), pytest.raises(UsageError, match="another run"):
        run(SCRIPTED, questions, out, make=scripted_rooms)


def test_a_journal_that_is_none_is_refused_by_line(questions: Path, tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl"
    journal.beside(out).write_text('{"fingerprint": "a"}\nnonsense\n')
    with pytest.raises(RecordError, match=r"journal:2 is no line"):
        run(SCRIPTED, questions, out, make=scripted_rooms)


def test_a_prompt_has_no_hint_where_none_is_wanted_or_the_course_is_french(tmp_path: Path) -> None:
    write(tmp_path / "q.jsonl", [row("q", "grade", "What is my grade?"), row("g", "grade", "Ma note ?", "geo")])
    run(replace(SCRIPTED, hints="none"), tmp_path / "q.jsonl", tmp_path / "t.jsonl", make=rooms.rooms)
    assert [each.task.hint for each in records.read(tmp_path / "t.jsonl")] == ["", ""]


def test_an_exception_of_ours_is_no_failure_of_the_server(questions: Path, tmp_path: Path) -> None:
    with judging(talking) as server:
        teacher = HiredTeacher({}, api(server.url))
        with pytest.raises(KeyError):
            teacher.answer(Row("a", "dsp", "s190", "nr", "x?", "how", "offline"))
