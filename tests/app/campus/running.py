"""A whole campus on loopback: people behind a proxy's header, one course, a scripted model."""

import asyncio
import threading
import time
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import uvicorn

from app.accounts.settings import AccountSettings, HeaderSettings
from app.campus.application import build_application, build_chats, build_side, open_campus
from app.campus.settings import CampusSettings, PrivacySettings, SiteSettings
from app.store.database import Database, open_database
from app.store.settings import LimitSettings
from app.tutoring.opening import TutorOpener
from app.tutoring.settings import TutoringSettings
from app.web.line import AT_ONCE, WAITING, WaitingLine
from app.web.serving import find_free_port
from data import bundle
from data.course import Course
from scribe.backend import Backend
from tests.app.campus.conftest import PROOF
from tests.app.told import mini_courses
from tests.app.web.attentive import Attentive
from tools.assembly.assistant import assemble

Result = TypeVar("Result")
PEOPLE = {"ada": "s001,student", "bob": "s002,student", "sam": ",staff"}


@dataclass(frozen=True, slots=True)
class RunningCampus:
    """A campus that can be visited."""

    address: str
    database: Database

    def headers(self, account: str) -> Mapping[str, str]:
        """What the proxy would add for somebody."""
        return {"x-remote-user": account, "x-scribe-proof": PROOF}


@contextmanager
def run_campus(
    folder: Path,
    people: Mapping[str, str] = PEOPLE,
    course: Course | None = None,
    model: Backend | None = None,
    tutoring: bool = False,
) -> Iterator[RunningCampus]:
    """A campus for as long as the context lasts, with the mini course and an attentive model if no others are named.

    people: accounts, each with student and role as the roster has it. tutoring: whether the coding tutor is open.
    """
    course = course or bundle.load(mini_courses(folder / "courses") / "mini")
    lines = [f"{account},{course.id},{place}\n" for account, place in people.items()]
    (folder / "roster.csv").write_text("account,course,student,role\n" + "".join(lines))
    (folder / "secret").write_text("s" * 40)
    (folder / "proof").write_text(PROOF)
    settings = CampusSettings(
        accounts=AccountSettings(("header",), str(folder / "roster.csv"), str(folder / "secret"), https=False),
        header=HeaderSettings(secret=str(folder / "proof")),
        site=SiteSettings(("127.0.0.1",)),
        limits=LimitSettings(per_minute=0, per_day=0),
        privacy=PrivacySettings(staff_read=True),
        tutoring=TutoringSettings(tutoring),
    )
    database = open_database(str(folder / "scribe.db"))
    campus = open_campus(settings, [course], database)
    backend, line = model or Attentive(), WaitingLine(AT_ONCE, WAITING)
    chats = build_chats(campus, {course.id: assemble(settings, course, backend)}, line)
    side = build_side(campus, TutorOpener(backend), line) if tutoring else None
    with run_application(build_application(campus, chats, side=side)) as address:
        yield RunningCampus(address, database)
    database.close()


@contextmanager
def run_application(application: Any) -> Iterator[str]:
    """Serve an application from a thread of this process; its address."""
    port = find_free_port("127.0.0.1", 18700)
    config = uvicorn.Config(application, "127.0.0.1", port, log_level="warning", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=20)


def run_apart(talk: Coroutine[Any, Any, Result]) -> Result:
    """What comes of a coroutine, run in a thread of its own: in this one a browser may have left its event loop."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, talk).result()
