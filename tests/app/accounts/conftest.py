"""A campus whose people come by OpenID Connect or by LTI, and the other side of both, on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.accounts.settings import AccountSettings
from app.campus.settings import CampusSettings, SiteSettings
from data import bundle
from data.course import Course
from tests.app.accounts.identity_provider import IdentityProvider
from tests.app.accounts.learning_platform import LearningPlatform
from tests.app.accounts.serving import serve

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
