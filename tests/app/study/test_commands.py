"""`scribe study` from codes to the figure, as an administrator types it; and killed in the middle."""

import csv
import re
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from app.cli import main
from app.store.database import open_database
from app.study.settings import read_study
from app.study.store import StudyStore
from tests.app.study.conftest import Hours
from tests.app.study.people import MODELS, SimulatedStudy, enrol, write_study
from tests.app.told import scripted
from tests.killing.scripted_model import answer_to, serve_scripted_model

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, courses_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIBE_COURSES_FOLDER", str(courses_folder))
    monkeypatch.setenv("SCRIBE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def test_codes_are_told_once_and_kept_as_hashes_only(tmp_path: Path, capsys: Out) -> None:
    assert main(["study", "codes", str(write_study(tmp_path)), "--count", "30"], scripted()) == 0
    codes = capsys.readouterr().out.split()
    assert len(set(codes)) == 30
    kept = (tmp_path / "scribe.db").read_bytes()
    assert not [code for code in codes if code.encode() in kept or code.replace("-", "").encode() in kept]


def test_what_18_participants_said_becomes_files_and_a_figure(tmp_path: Path, capsys: Out, hours: Hours) -> None:
    path = write_study(tmp_path)
    study, database = read_study(path), open_database("scribe.db")
    simulated = SimulatedStudy(study, StudyStore(database, study, hours), database)
    people = [enrol(simulated) for _ in range(20)]
    for person in people[:18]:
        simulated.finish(person, lambda model, criterion: 5 if model == MODELS[0] else 3)
    simulated.store.withdraw(people[19])
    assert main(["study", "export", str(path), "--out", "out"], scripted()) == 0
    assert "20 codes, 19 began, 18 finished, 1 withdrawn" in capsys.readouterr().err
    with Path("out/ratings.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 18 * 3 * 5
    assert {(row["model"], row["rating"]) for row in rows} == {(MODELS[0], "5"), (MODELS[1], "3"), (MODELS[2], "3")}
    assert {row["finished"] for row in rows} == {"1"}
    assert not {row["participant"] for row in rows} & set(people[18:])
    assert main(["study", "analyse", "out"], scripted()) == 0
    assert "Do ratings differ between models?" in capsys.readouterr().out
    assert Path("out/figure5.svg").exists()


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('id = "test"', 'id = "test"\nseeds = 1', "seeds"),
        ("secret", "same", None),
        (MODELS[1], MODELS[0], "two of the models are the same"),
        ('student = "s003"', 'student = "s002"', "two of the reports are the same"),
        ('student = "s003"', 'student = "s999"', "s999"),
        ('[[reports]]\ncourse = "mini"\nstudent = "s003"', '[x]\ncourse = "mini"\nstudent = "s003"', "reports"),
        ('id = "large-secret"', 'id = "large-secret"\nmodel = { pth = "x" }', "no key 'pth'"),
        ('id = "large-secret"', 'id = "large-secret"\nanswer = { temperature = -1 }', "temperature"),
        ('id = "large-secret"', 'id = "large-secret"\nmodel = { path = "nowhere.gguf" }', "nowhere.gguf"),
        ("[consent]", "[consent", "not valid TOML"),
        ('id = "test"', 'id = "test"\nquestions = { least = 4, most = 3 }', "least is more than most"),
    ],
)
def test_a_study_that_cannot_be_is_refused_before_anybody_comes(
    tmp_path: Path, capsys: Out, old: str, new: str, complaint: str | None
) -> None:
    path = write_study(tmp_path)
    path.write_text(path.read_text().replace(old, new))
    if complaint is None:
        assert read_study(path).models[0].id == "tiny-same"
        return
    assert main(["study", "serve", str(path)]) == 2
    assert complaint in capsys.readouterr().err


def test_a_study_listens_to_others_only_under_a_name(tmp_path: Path, capsys: Out) -> None:
    assert main(["study", "serve", str(write_study(tmp_path)), "--host", "0.0.0.0"], scripted()) == 2
    assert "[site] hosts" in capsys.readouterr().err
    assert main(["study", "demo", "--host", "0.0.0.0"], scripted()) == 2


@pytest.mark.timeout(400)
def test_after_a_kill_in_the_middle_of_an_answer_the_participant_goes_on(tmp_path: Path, capsys: Out) -> None:
    with serve_scripted_model(0.0) as model:
        path = write_study(tmp_path, f'model = {{ backend = "api", path = "NAME", base_url = "{model.url}" }}')
        assert main(["study", "codes", str(path), "--count", "1"]) == 0
        code = capsys.readouterr().out.strip()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        first = start(path, port)
        browser = httpx.Client(base_url=f"http://127.0.0.1:{port}", follow_redirects=True, timeout=60)
        try:
            browser.post("/enter", data={"code": code})
            browser.post("/study/agree", data={"step": "consent-0-0", "version": "test/1"})
            model.delay = 600.0
            page = browser.post("/study/ask", data={"step": "ask-0-0", "question": "Will you come back?"}).text
            assert 'role="status"' in page
            while not leases(tmp_path):
                time.sleep(0.1)
        finally:
            first.kill()
            first.wait()
        model.delay = 0.0
        with sqlite3.connect(tmp_path / "scribe.db") as database:
            database.execute("UPDATE running SET until = 0")  # a minute later
        second = start(path, port)
        try:
            page = browser.get("/study").text
            for _ in range(20):
                if 'role="status"' not in page:
                    break
                page = browser.get("/study?wait=1").text
            assert answer_to("Will you come back?") in page
            assert re.search('value="ask-0-1"', page)
        finally:
            second.terminate()
            second.wait()


def leases(folder: Path) -> int:
    """How many questions are being answered."""
    with sqlite3.connect(folder / "scribe.db", timeout=30) as database:
        return int(database.execute("SELECT count(*) FROM running").fetchone()[0])


def start(study: Path, port: int) -> "subprocess.Popen[str]":
    """`scribe study serve` as a process of its own, once it listens."""
    command = [sys.executable, "-m", "app.cli", "study", "serve", str(study), "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert f":{port}" in process.stdout.readline()
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/", timeout=30)
        except httpx.HTTPError:
            assert process.poll() is None
            time.sleep(0.1)
        else:
            return process
