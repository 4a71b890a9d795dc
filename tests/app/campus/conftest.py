"""A campus with a roster, a secret and a database of its own, whose people come through a proxy's header."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.accounts.settings import AccountSettings, HeaderSettings
from app.campus.application import Campus, build_application, open_campus
from app.campus.settings import CampusSettings, SiteSettings
from app.store.database import open_database
from data import bundle
from data.course import Course

PROOF = "p" * 40
Client = Callable[..., TestClient]


@pytest.fixture
def settings(tmp_path: Path) -> CampusSettings:
    (tmp_path / "roster.csv").write_text(
        "account,course,student,role\nada,dsp,s001,student\nbob,dsp,s002,student\nbob,geo,s002,student\nsam,dsp,,staff\n"
    )
    (tmp_path / "secret").write_text("s" * 40)
    (tmp_path / "proof").write_text(PROOF + "\n")
    return CampusSettings(
        accounts=AccountSettings(("header",), str(tmp_path / "roster.csv"), str(tmp_path / "secret"), https=False),
        header=HeaderSettings(proxies=("10.0.0.0/8",), secret=str(tmp_path / "proof")),
        site=SiteSettings(("scribe.example",)),
    )


@pytest.fixture(scope="session")
def courses() -> list[Course]:
    return [bundle.find(id, bundle.COURSES) for id in ("dsp", "geo")]


@pytest.fixture
def campus(settings: CampusSettings, courses: list[Course], tmp_path: Path) -> Iterator[Campus]:
    database = open_database(str(tmp_path / "scribe.db"))
    yield open_campus(settings, courses, database)
    database.close()


@pytest.fixture
def client(campus: Campus) -> Client:
    """Makes a browser of an account behind the proxy; of nobody without one."""
    application = build_application(campus, {})

    def make(account: str | None = None, peer: str = "10.1.2.3", **headers: str) -> TestClient:
        given = {"accept": "text/html"}
        if account is not None:
            given |= {"x-remote-user": account, "x-scribe-proof": PROOF}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        return TestClient(
            application,
            base_url="http://scribe.example",
            headers=given,
            client=(peer, 5000),
            follow_redirects=False,
        )

    return make
