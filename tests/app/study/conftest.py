"""A study on a course of three weeks, whose three models are scripted and say who they are only in their answers."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from starlette.applications import Starlette

from app.campus.settings import CampusSettings
from app.store.database import Database, open_database
from app.study.answering import open_courses
from app.study.application import build_study
from app.study.settings import read_study
from app.study.store import StudyStore
from app.web.serving import find_free_port
from scribe.backend import Backend
from tests.app.store.cluster import Cluster
from tests.app.study.people import write_study
from tests.app.told import mini_courses
from tests.app.web.attentive import Attentive
from tools.assembly.assistant import assemble
from tools.assembly.settings import CourseSettings


class Hours:
    """A clock in hours, set by the test."""

    def __init__(self) -> None:
        self.now = 500_000.0

    def __call__(self) -> float:
        return self.now * 3600.0


@pytest.fixture
def hours() -> Hours:
    return Hours()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    where = str(tmp_path / "study.db")
    if request.param == "postgresql":
        running: Cluster = request.getfixturevalue("cluster")
        where = running.add_database()
    opened = open_database(where)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def courses_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = mini_courses(tmp_path_factory.mktemp("courses"))
    for student in ("s002", "s003"):
        (folder / "mini" / "reports" / f"{student}.nr.md").write_text(f"## Outlook of {student}\n\nGo on. <b>x</b>\n")
    return folder


@pytest.fixture
def settings(courses_folder: Path) -> CampusSettings:
    return CampusSettings(courses=CourseSettings(folder=str(courses_folder), course="mini"))


Open = Callable[..., Starlette]


@pytest.fixture
def open_study(settings: CampusSettings, database: Database, tmp_path: Path) -> Open:
    """Makes the application around scripted models, anew as after a start."""
    study = read_study(write_study(tmp_path))
    courses = open_courses(study, settings)

    def make(backend: Backend | None = None) -> Starlette:
        assistants = {
            (model.id, "mini"): assemble(settings, courses["mini"], backend or Attentive()) for model in study.models
        }
        return build_study(study, settings, database, courses, assistants)

    return make


@pytest.fixture
def address(open_study: Open) -> Iterator[str]:
    port = find_free_port("127.0.0.1", 18600)
    config = uvicorn.Config(open_study(), host="127.0.0.1", port=port, log_level="warning", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=20)


@pytest.fixture
def codes(database: Database, tmp_path: Path) -> list[str]:
    return StudyStore(database, read_study(write_study(tmp_path))).make_codes(4)
