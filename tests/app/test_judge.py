"""`scribe judge` as a command, with a judge on loopback and the course of three weeks."""

import json
import re
from pathlib import Path

import pytest

from app.cli import main
from eval.judge.judgement import read_judgements
from scribe import records
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Observation, Stop, Task, Trajectory
from tests.app.told import mini_courses
from tests.eval.judge.scripted_judge import decide, make_completion, serve_judge


@pytest.fixture
def answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two answered questions and one that is not, in the folder that is current."""
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", str(mini_courses(tmp_path / "courses")))
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    task = Task("mini", "s001", "How do I improve?", "Your sessions were few.")
    open_ = Trajectory(task)
    texts = ("Start with short sessions.", "It is what it is.")
    done = [open_.then(Answer("Enough.", text)).ended(Stop.ANSWERED) for text in texts]
    rows = [*done, open_.ended(Stop.UNRESOLVED)]
    records.write(tmp_path / "answers.jsonl", (Record.of(row, f"q{n}", {}) for n, row in enumerate(rows)))
    return tmp_path / "answers.jsonl"


def judge(*flags: str) -> int:
    return main(["judge", "answers.jsonl", "--out", "j.jsonl", *flags])


def test_answers_are_judged_by_all_criteria_and_again_from_the_cache(
    answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_judge(lambda body, number: decide("YES")) as server:
        asked = ("--judge", "m", "--base-url", server.url, "--repeats", "2")
        assert judge(*asked) == 0
        assert judge(*asked) == 0
    assert len(server.asked) == len(list(read_judgements(Path("j.jsonl")))) == 2 * 5 * 2
    told = capsys.readouterr().out
    assert "relevance: 4 yes, 0 no, 0 unparsed" in told
    assert "1 rows have no answer and were not judged" in told
    assert "map_week_to_topic" in server.asked[0]["messages"][-1]["content"]


def test_missing_and_unparsed_verdicts_are_told_and_are_exit_code_3(
    answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve_judge(lambda body, number: decide("PERHAPS")) as server:
        assert judge("--judge", "m", "--base-url", server.url, "--criteria", "language") == 3
    assert "language: 0 yes, 0 no, 2 unparsed" in capsys.readouterr().out


@pytest.mark.parametrize("written", [["language,relevance"], ["language", "relevance"], ["language,", "relevance"]])
def test_criteria_stand_between_commas_or_blanks(answers: Path, written: list[str]) -> None:
    with serve_judge(lambda body, number: decide("YES")) as server:
        assert judge("--judge", "m", "--base-url", server.url, "--criteria", *written) == 0
    assert {each.criterion for each in read_judgements(Path("j.jsonl"))} == {"language", "relevance"}


def test_the_checks_without_a_model_name_themselves(answers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert judge("--judge", "local", "--criteria", "actionability,correctness") == 0
    assert [each.verdict for each in read_judgements(Path("j.jsonl"))] == ["yes", "yes", "no", "yes"]
    assert "they do not stand for a judge" in capsys.readouterr().out


def test_a_dry_run_asks_nothing_and_says_what_it_would_take(answers: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = ("--judge", "m", "--base-url", "https://api.example.org/v1")
    assert judge(*address, "--dry-run") == 0
    told = capsys.readouterr().out
    assert "10 judgements, 10 of them to be asked" in told
    assert re.search(r"about [1-9][\d,]+ tokens to read and up to 20,480 to write", told)
    assert not Path("j.jsonl").exists()


def test_a_batch_goes_out_and_comes_in(answers: Path) -> None:
    address = ("--judge", "m", "--base-url", "https://api.example.org/v1", "--criteria", "language")
    assert judge(*address, "--allow-remote", "--batch-out", "requests.jsonl") == 0
    ids = [json.loads(line)["custom_id"] for line in Path("requests.jsonl").read_text().splitlines()]
    body = make_completion("So.\nFINAL DECISION: NO")
    lines = [{"custom_id": id, "response": {"status_code": 200, "body": body}, "error": None} for id in ids]
    Path("responses.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert judge(*address, "--batch-in", "responses.jsonl") == 0
    assert [each.verdict for each in read_judgements(Path("j.jsonl"))] == ["no", "no"]


def test_a_tool_that_nothing_describes_is_shown_to_the_judge_by_its_name(
    answers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    act = Act("", (Call("web_search", {}), Call("oracle", {})), (Observation(True, "{}"), Observation(False, "{}")))
    asked = Trajectory(Task("mini", "s001", "How?", "Few.")).then(act).then(Answer("", "So."))
    records.write(answers, [Record.of(asked.ended(Stop.ANSWERED), "q1", {})])
    with serve_judge(lambda body, number: decide("YES")) as server:
        flags = ("--judge", "m", "--base-url", server.url, "--criteria", "language")
        assert judge(*flags) == 0
        assert "nothing describes web_search to the judge" in capsys.readouterr().out
    bare = server.asked[0]["messages"][-1]["content"]
    assert '- "web_search": no description is known' in bare
    assert '- "oracle": no description is known; every call of it was refused' in bare


@pytest.mark.parametrize("command", [["judge"], ["evaluate"], ["agree", "label"]])
def test_a_file_of_tools_is_a_flag_of_earlier_versions(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "answers.jsonl", "--tools", "tools.json"])
    assert ended.value.code == 2
    assert "argument --tools: is gone; the tools of the answer's course" in capsys.readouterr().err


def test_judgements_of_an_earlier_output_are_not_lost_with_their_cache(answers: Path) -> None:
    with serve_judge(lambda body, number: decide("YES")) as server:
        flags = ("--judge", "m", "--base-url", server.url, "--criteria", "language")
        assert judge(*flags) == 0
        assert judge(*flags, "--cache", "another.sqlite") == 0
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        (("--judge", "m"), "give its address with --base-url"),
        (("--judge", "m", "--base-url", "https://api.example.org/v1"), "say --allow-remote"),
        (("--judge", "local", "--repeats", "2"), "asks nobody"),
        (("--judge", "local", "--criteria", "relevance"), "no check of relevance without a model"),
        (("--judge", "m", "--base-url", "127.0.0.1:8000"), "is no address"),
        (("--judge", "m", "--base-url", "http://127.0.0.1:1", "--criteria", "warmth"), "no criterion warmth"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(
    answers: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], complaint: str
) -> None:
    assert judge(*flags) == 2
    assert complaint in capsys.readouterr().err
    assert not Path("j.jsonl").exists()
