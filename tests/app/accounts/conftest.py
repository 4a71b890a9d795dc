"""A campus whose people come by OpenID Connect or by LTI, and the other side of both, on this machine."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.accounts.settings import AccountSettings, LtiSettings
from app.campus.application import Campus, open_campus
from app.campus.settings import CampusSettings, SiteSettings
from app.store.database import open_database
from data import bundle
from data.course import Course
from tests.app.accounts import serving
from tests.app.accounts.identity_provider import IdentityProvider
from tests.app.accounts.launching import Open, describe, open_browser
from tests.app.accounts.learning_platform import LearningPlatform
from tests.app.accounts.serving import Claims, serve

ROSTER = """account,course,student,role
ada,dsp,s001,student
ada@campus.example,dsp,s001,student
lms:17,dsp,s003,student
lms:17,geo,s002,student
lms:99,dsp,,staff
"""


@pytest.fixture(scope="session")
def courses() -> list[Course]:
    return [bundle.find(id, bundle.COURSES) for id in ("dsp", "geo")]


@pytest.fixture
def settings(tmp_path: Path) -> CampusSettings:
    (tmp_path / "roster.csv").write_text(ROSTER)
    (tmp_path / "secret").write_text("s" * 40)
    accounts = AccountSettings((), str(tmp_path / "roster.csv"), str(tmp_path / "secret"), https=False)
    return CampusSettings(accounts=accounts, site=SiteSettings(("scribe.example", "localhost", "127.0.0.1")))


@pytest.fixture(scope="session")
def served_provider() -> Iterator[IdentityProvider]:
    provider = IdentityProvider()
    with serve(provider.application()) as port:
        provider.address = f"http://127.0.0.1:{port}"
        yield provider


@pytest.fixture
def provider(served_provider: IdentityProvider) -> IdentityProvider:
    served_provider.reset()
    return served_provider


@pytest.fixture(scope="session")
def served_platform() -> Iterator[LearningPlatform]:
    platform = LearningPlatform()
    with serve(platform.application()) as port:
        platform.address = f"http://127.0.0.1:{port}"
        yield platform


@pytest.fixture
def platform(served_platform: LearningPlatform) -> LearningPlatform:
    served_platform.reset()
    return served_platform


@pytest.fixture(scope="session")
def tool_key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("key") / "lti-key.pem"
    path.write_bytes(serving.make_key("tool").as_pem(private=True))
    return path


@pytest.fixture
def open_with(
    settings: CampusSettings, platform: LearningPlatform, courses: list[Course], tool_key: Path, tmp_path: Path
) -> Iterator[Open]:
    """Opens a campus whose file of platforms has these entries; the platform alone without any."""
    database = open_database(str(tmp_path / "scribe.db"))

    def open_it(*entries: Claims, **changes: Any) -> Campus:
        (tmp_path / "lti.json").write_text(json.dumps(entries or [describe(platform, **changes)]))
        accounts = replace(settings.accounts, sign_in=("lti",))
        told = LtiSettings(str(tmp_path / "lti.json"), str(tool_key))
        return open_campus(replace(settings, accounts=accounts, lti=told), courses, database)

    yield open_it
    database.close()


@pytest.fixture
def person(open_with: Open) -> TestClient:
    """A browser in front of a campus with the platform's plain entry."""
    return open_browser(open_with())
