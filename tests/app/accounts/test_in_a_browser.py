"""Both ways of signing in, in Chromium, where cookies and pages of other sites have rules of their own."""

import datetime
import ipaddress
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc.jwk import KeySet
from starlette.types import Receive, Scope, Send

from app.accounts.settings import LtiSettings, OpenidSettings
from app.campus.application import build_application, open_campus
from app.campus.settings import CampusSettings
from app.campus.texts import load_texts, read_consent
from app.store.database import open_database
from data.course import Course
from tests.app.accounts.identity_provider import CLIENT, SECRET, IdentityProvider
from tests.app.accounts.launching import describe
from tests.app.accounts.learning_platform import LearningPlatform
from tests.app.accounts.serving import make_key, serve

CONSENT = read_consent().fr.title
PATIENCE = 20_000  # milliseconds, for machines that are busy with other things


class Later:
    """An application that is there before what it serves is made, since that has to know the port."""

    def __init__(self) -> None:
        self.application: Any = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.application(scope, receive, send)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a server needs for HTTPS, signed by itself."""
    folder, key = tmp_path_factory.mktemp("tls"), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    now, span = datetime.datetime.now(datetime.UTC), datetime.timedelta(days=2)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - span, now + span)
    signed = made.add_extension(x509.SubjectAlternativeName(names), False).sign(key, hashes.SHA256())
    (folder / "cert.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    form = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "key.pem").write_bytes(key.private_bytes(*form))
    return {"ssl_certfile": str(folder / "cert.pem"), "ssl_keyfile": str(folder / "key.pem")}


@pytest.fixture
def secure_platform(certificate: dict[str, str]) -> Iterator[LearningPlatform]:
    """A platform at https://127.0.0.1, which for browsers is another site than https://localhost."""
    platform = LearningPlatform()
    with serve(platform.application(), **certificate) as port:
        platform.address = f"https://127.0.0.1:{port}"
        yield platform


@pytest.fixture
def campus_behind_https(
    settings: CampusSettings,
    secure_platform: LearningPlatform,
    provider: IdentityProvider,
    courses: list[Course],
    certificate: dict[str, str],
    tmp_path: Path,
) -> Iterator[str]:
    keys = KeySet([secure_platform.key]).as_dict(private=False)
    entry = describe(secure_platform, key_set=keys, key_set_url="")
    (tmp_path / "lti.json").write_text(json.dumps([entry]))
    (tmp_path / "lti-key.pem").write_bytes(make_key("tool").as_pem(private=True))
    (tmp_path / "client").write_text(SECRET)
    told = replace(
        settings,
        accounts=replace(settings.accounts, sign_in=("openid", "lti"), https=True),
        openid=OpenidSettings(provider.address, CLIENT, str(tmp_path / "client"), "preferred_username"),
        lti=LtiSettings(str(tmp_path / "lti.json"), str(tmp_path / "lti-key.pem")),
    )
    database, served = open_database(str(tmp_path / "scribe.db")), Later()
    with serve(served, **certificate) as port:
        secure_platform.tool = f"https://localhost:{port}"
        served.application = build_application(open_campus(told, courses, database), {})
        yield secure_platform.tool
    database.close()


@pytest.fixture(params=["kept", "blocked"])
def page(request: pytest.FixtureRequest, browser: Any) -> Iterator[Any]:
    """A page of a browser that keeps cookies of pages in frames, or that blocks them as Safari and Firefox do."""
    launched = None
    if request.param == "blocked":
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        arguments = ["--no-sandbox", "--test-third-party-cookie-phaseout"]
        launched = browser.browser_type.launch(executable_path=path, args=arguments)
    context = (launched or browser).new_context(ignore_https_errors=True, locale="en-GB")
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()
    if launched is not None:
        launched.close()


def test_a_launch_opens_in_a_frame_of_the_platform(
    page: Any, campus_behind_https: str, secure_platform: LearningPlatform
) -> None:
    page.goto(f"{secure_platform.address}/course")
    page.locator("#framed button").click()
    tool = page.frame_locator("iframe[name=tool]")
    tool.get_by_role("heading", name=CONSENT).wait_for()
    tool.get_by_role("button", name=load_texts("fr")["consent"]["agree"]).click()
    tool.get_by_text("Not Found").wait_for()  # the course's chat, of which there is none here; no sign-in page
    assert page.frame("tool").url == f"{campus_behind_https}/c/dsp/fr/"


def test_a_launch_opens_in_a_window_of_its_own(
    page: Any, campus_behind_https: str, secure_platform: LearningPlatform
) -> None:
    page.goto(f"{secure_platform.address}/course")
    with page.context.expect_page() as opened:
        page.locator("#window button").click()
    opened.value.get_by_role("heading", name=CONSENT).wait_for()
    assert opened.value.url == f"{campus_behind_https}/consent?next=/c/dsp/"


def test_somebody_signs_in_and_out_at_the_provider(
    page: Any, campus_behind_https: str, provider: IdentityProvider
) -> None:
    say = load_texts("en")
    page.goto(f"{campus_behind_https}/mine")
    page.get_by_role("link", name=say["sign_in"]["openid"]).click()
    page.get_by_role("heading", name=say["my_data"]["title"]).wait_for()
    page.get_by_role("button", name=say["sign_out"]).click()
    page.get_by_role("status").wait_for()
    page.get_by_role("link", name=say["sign_in"]["out_openid"]).click()
    page.wait_for_url(f"{provider.address}/out?**")
