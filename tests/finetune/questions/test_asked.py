"""Questions from a language model: what it is shown, what is read of its reply, what is never asked twice."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from data.course import Course
from eval.judge.scripted_judge import Body, Said, judging
from finetune import manifest
from finetune.questions import persona, row, step
from finetune.questions.categories import categories
from finetune.questions.settings import Settings
from finetune.questions.source import Wanted
from scribe.errors import BackendError, UsageError
from scribe.trajectory import Exchange
from tests.finetune.questions.bundles import small

SMALL = Settings(
    source="api", base_url="http://127.0.0.1:9", model="playwright", students=2, theories=("nr",),
    categories=("where", "how"), each=6, outside=0, meaning=0.0, follow_ups=0.34, shortest=3, parallel=3,
)  # fmt: skip
TOPICS = (
    "videos", "quizzes", "sampling", "filters", "aliasing", "deadlines", "points", "sessions", "weekends", "pauses",
    "exams", "notes",
)  # fmt: skip


def play(body: Body, number: int) -> Said:
    """As many questions as are asked for, another set for each prompt, with what models put around them."""
    asked = str(body["messages"])
    count = int(re.findall(r"Write (\d+) messages", asked)[0])
    salt = sum(map(ord, asked)) + body["seed"]
    lines = [f'{n}. "{TOPICS[(salt + n) % 12]} in week {(salt * 7 + n) % 97 + 1} again??"' for n in range(1, count + 1)]
    return Said("Here you go:\n" + "\n".join(lines))


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small(tmp_path_factory.mktemp("courses"))


def made(course: Path, out: Path, settings: Settings, url: str) -> list[row.Row]:
    step.run(replace(settings, base_url=url), [course], out, manifest.quiet)
    return row.read(out)


def test_the_prompt_holds_the_report_the_category_and_some_real_questions(dsp: Course) -> None:
    wanted = Wanted(dsp, "s001", "con", categories()["how"], 10, 1)
    system, user = persona.prompt(wanted, ["is this real"], {"short": 1, "medium": 2, "long": 1}, Exchange("q1", "a1"))
    assert wanted.report in system["content"] and dsp.title in system["content"]
    for part in (categories()["how"].after, "is this real", "“q1”", "“a1”", "Write 10 messages", "about 3 of up to 9"):
        assert part in user["content"]
    both = system["content"] + user["content"]
    assert "s001" not in both and not re.search(r"{\w+}", both)


@pytest.mark.parametrize(
    ("reply", "questions", "strange"),
    [
        ("OK\n1. why week 3\n2) “and now?”\n\n- how *so*\n* last", ("why week 3", "and now?", "how *so*", "last"), 1),
        ('1. Short: "what now"\n2. Long – tell me\nThat is all.', ("what now", "tell me"), 1),
        ("no list at all", (), 1),
        ("", (), 0),
    ],
)
def test_questions_are_read_from_what_models_write_around_them(
    reply: str, questions: tuple[str, ...], strange: int
) -> None:
    assert persona.read(reply) == persona.Written(questions, strange)


def test_the_last_line_of_a_reply_that_was_cut_off_is_no_question() -> None:
    assert persona.read("1. whole one\n2. half a", cut_off=True) == persona.Written(("whole one",), 1)


def test_a_model_writes_the_file_and_the_manifest_counts_what_it_took(course: Path, tmp_path: Path) -> None:
    out = tmp_path / "questions.jsonl"
    with judging(play) as server:
        rows = made(course, out, SMALL, server.url)
        first = len(server.asked)
        assert made(course, out, SMALL, server.url) == rows and len(server.asked) == first
    counts = (manifest.read(out) or pytest.fail("no manifest")).counts
    assert counts["made"] == 24 and counts["kept"] == len(rows)
    assert counts["made"] - counts["kept"] == sum(counts["dropped"].values())
    assert counts["asked"]["requests"] == first == 8 and counts["asked"]["prompt tokens"] == 800
    assert counts["asked"]["lines that were no question"] == 8
    assert {each.source for each in rows} == {"playwright"} and {each.intent for each in rows} == {""}
    leaning = [each for each in rows if "follow-up" in each.style]
    assert leaning and all(each.history and each.earlier for each in leaning)
    assert not any(each.history for each in rows if each not in leaning)


def test_a_busy_server_is_asked_again_and_what_was_said_before_a_refusal_is_kept(course: Path, tmp_path: Path) -> None:
    def busy(body: Body, number: int) -> Said:
        return Said("wait", 503, headers={"Retry-After": "0.01"}) if number == 0 else play(body, number)

    def refusing(body: Body, number: int) -> Said:
        return Said("bad key", 401) if number == 2 else play(body, number)

    alone = replace(SMALL, parallel=1, follow_ups=0.0)
    with judging(refusing) as server:
        with pytest.raises(BackendError, match="SCRIBE_API_KEY"):
            made(course, tmp_path / "q.jsonl", alone, server.url)
        assert not (tmp_path / "q.jsonl").exists()
        before = len(server.asked)
        made(course, tmp_path / "q.jsonl", alone, server.url)
        assert before == 3 and len(server.asked) == 5  # two of four were kept
    with judging(busy) as server:
        assert made(course, tmp_path / "other.jsonl", alone, server.url) and len(server.asked) == 5


def test_an_address_outside_is_refused_before_anything_is_sent(course: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="allow_remote"):
        made(course, tmp_path / "q.jsonl", SMALL, "https://models.example.com/v1")


def test_a_killed_run_asks_nothing_again_and_writes_what_an_uninterrupted_one_does(
    course: Path, tmp_path: Path
) -> None:
    def slowly(body: Body, number: int) -> Said:
        return replace(play(body, number), delay=0.15)

    out, settings = tmp_path / "killed.jsonl", tmp_path / "pipeline.toml"
    with judging(slowly) as server:
        settings.write_text(
            f'[questions]\nsource = "api"\nmodel = "playwright"\nbase_url = "{server.url}"\nstudents = 2\n'
            'theories = ["nr"]\ncategories = ["where", "how"]\neach = 6\noutside = 0\nmeaning = 0.0\n'
            "follow_ups = 0.34\nshortest = 3\nparallel = 1\n"
        )
        command = [sys.executable, "-m", "finetune.questions", "--course", str(course), "--out", str(out)]
        process = subprocess.Popen([*command, "--settings", str(settings)], stderr=subprocess.DEVNULL)
        while len(server.asked) < 4 and process.poll() is None:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert not out.exists()
        with step.beside(out, "replies").open("ab") as file:
            file.write(b'{"key": "torn')
        rows = made(course, out, replace(SMALL, parallel=1), server.url)
        assert 8 <= len(server.asked) <= 9  # the one that was under way may have been answered to nobody
    with judging(play) as server:
        assert made(course, tmp_path / "whole.jsonl", replace(SMALL, parallel=1), server.url) == rows


def test_a_file_of_replies_that_is_none_is_named_with_its_line(course: Path, tmp_path: Path) -> None:
    step.beside(tmp_path / "q.jsonl", "replies").write_text('{"some": "thing"}\n')
    with pytest.raises(UsageError, match=r"replies\.jsonl:1: no reply"):
        made(course, tmp_path / "q.jsonl", SMALL, "http://127.0.0.1:9/v1")
