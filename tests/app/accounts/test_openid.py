import base64
import json
import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.accounts.openid import OpenidSignIn
from app.accounts.person import Place
from app.accounts.session import read_person
from app.accounts.settings import OpenidSettings
from app.campus.application import Campus, build_application, open_campus
from app.campus.settings import CampusSettings
from app.campus.texts import load_texts
from app.store.database import open_database
from data.course import Course
from scribe.plumbing.errors import UsageError
from tests.app.accounts import serving
from tests.app.accounts.identity_provider import CLIENT, SECRET, IdentityProvider
from tests.app.accounts.serving import Claims, serve


@pytest.fixture
def account() -> str:
    """The claim that names accounts."""
    return "preferred_username"


@pytest.fixture
def campus(
    settings: CampusSettings, provider: IdentityProvider, account: str, courses: list[Course], tmp_path: Path
) -> Iterator[Campus]:
    (tmp_path / "client").write_text(f"{SECRET}\n")
    openid = OpenidSettings(provider.address, CLIENT, str(tmp_path / "client"), account)
    accounts = replace(settings.accounts, sign_in=("openid",))
    database = open_database(str(tmp_path / "scribe.db"))
    yield open_campus(replace(settings, accounts=accounts, openid=openid), courses, database)
    database.close()


@pytest.fixture
def application(campus: Campus) -> FastAPI:
    return build_application(campus, {})


@pytest.fixture
def person(application: FastAPI) -> TestClient:
    """A browser."""
    headers = {"accept": "text/html"}
    return TestClient(application, "http://scribe.example", headers=headers, follow_redirects=False)


def come_back(person: TestClient, where: str = "/c/dsp/") -> str:
    """Follow the way to the provider: the address that it sends the browser back to."""
    asked = person.get("/sign-in/openid", params={"next": where})
    assert asked.status_code == 302
    return str(httpx.get(asked.headers["location"]).headers["location"])


def read_session(person: TestClient) -> Claims:
    """What the cookie says, which anybody can read who has it."""
    told: Claims = json.loads(base64.b64decode(person.cookies["scribe"].split(".")[0] + "=="))
    return told


def test_somebody_of_the_roster_is_let_into_their_course(campus: Campus, person: TestClient) -> None:
    assert person.get("/c/dsp/").headers["location"] == "/sign-in?next=/c/dsp/"
    assert "/sign-in/openid?next=/c/dsp/" in person.get("/sign-in?next=/c/dsp/").text
    done = person.get(come_back(person))
    assert (done.status_code, done.headers["location"]) == (303, "/c/dsp/")
    assert person.get("/c/dsp/").headers["location"].startswith("/consent")
    kept = read_person(read_session(person))
    assert kept is not None
    assert kept.places == {"dsp": Place("student", "s001")}
    assert kept.id == campus.registrar.find_person(campus.settings.openid.issuer, "ada").id


def test_somebody_unknown_is_in_no_course(provider: IdentityProvider, person: TestClient) -> None:
    provider.changes = {"preferred_username": "eve"}
    assert person.get(come_back(person, "/")).headers["location"] == "/"
    assert load_texts("en")["no_courses"] in person.get("/").text


def test_the_locale_decides_the_language_before_the_browser(provider: IdentityProvider, person: TestClient) -> None:
    provider.changes["locale"] = "fr-CH"
    person.get(come_back(person))
    assert '<html lang="fr">' in person.get("/mine", headers={"accept-language": "en"}).text


def test_no_name_address_or_token_is_kept(person: TestClient) -> None:
    person.get(come_back(person))
    told = json.dumps(read_session(person))
    assert set(read_session(person)) == {"person"}
    assert not [each for each in ("Ada", "ada", "Lovelace", "campus.example", "eyJ", "opaque") if each in told]


def test_what_the_id_token_lacks_is_read_from_userinfo(provider: IdentityProvider, person: TestClient) -> None:
    provider.changes, provider.userinfo = {}, {"preferred_username": "ada", "locale": "fr"}
    assert person.get(come_back(person)).headers["location"] == "/c/dsp/"
    assert '<html lang="fr">' in person.get("/mine").text


def test_a_key_that_the_provider_changed_is_fetched(provider: IdentityProvider, person: TestClient) -> None:
    person.get(come_back(person))
    provider.key = serving.make_key("idp-2")
    assert person.get(come_back(person)).headers["location"] == "/c/dsp/"


NOW = int(time.time())
LIES: dict[str, Any] = {
    "another nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "expired": {"exp": NOW - 3600},
    "no expiry": {"exp": None},
    "of the future": {"iat": NOW + 3600},
    "another audience": {"aud": "another"},
    "another audience for us": {"aud": "another", "azp": CLIENT},
    "several audiences for another": {"aud": [CLIENT, "another"], "azp": "another"},
    "several audiences for nobody": {"aud": [CLIENT, "another"]},
    "another issuer": {"iss": "https://evil.example"},
    "no subject": {"sub": None},
    "no account": {"preferred_username": None},
    "an account that is a list": {"preferred_username": ["ada"]},
    "an empty account": {"preferred_username": ""},
    "no signature": serving.sign_with_nothing,
    "a signature with the public key": serving.sign_with_public_key,
    "another key of the same name": serving.sign_with_other_key,
    "an unknown key": serving.sign_with_unknown_key,
    "a key of its own": serving.sign_with_own_key_inside,
    "changed after signing": serving.change_after_signing,
}


@pytest.mark.parametrize("lie", LIES)
def test_a_token_that_lies_is_refused(
    provider: IdentityProvider, person: TestClient, caplog: pytest.LogCaptureFixture, lie: str
) -> None:
    if callable(LIES[lie]):
        provider.sign = LIES[lie]
    else:
        provider.changes |= LIES[lie]
    refuse(person, come_back(person), caplog)


def refuse(person: TestClient, back: str, caplog: pytest.LogCaptureFixture) -> None:
    """Nobody is signed in by this, and nothing secret is in the log."""
    with caplog.at_level(logging.INFO):
        failed = person.get(back)
    assert (failed.status_code, failed.headers["location"]) == (303, "/sign-in?failed=")
    assert person.get("/mine").status_code == 303
    assert load_texts("en")["sign_in"]["failed"] in person.get("/sign-in?failed=").text
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("app.")]
    assert len(lines) == 1
    assert lines[0].startswith("sign-in by openid failed: ")
    secrets = [value for name, value in httpx.URL(back).params.items() if name in ("code", "state")]
    assert not [each for each in ("eyJ", "opaque", "Ada", SECRET, *secrets) if each in lines[0]]


def test_a_callback_that_nobody_asked_for_is_refused(
    person: TestClient, application: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    back = come_back(person)
    stranger = TestClient(application, "http://scribe.example", headers={"accept": "text/html"}, follow_redirects=False)
    refuse(stranger, back, caplog)  # somebody else's browser: login by cross-site request forgery


def test_a_callback_is_good_once(person: TestClient, provider: IdentityProvider) -> None:
    back = come_back(person)
    person.get(back)
    assert person.get(back).headers["location"] == "/sign-in?failed="
    other = httpx.URL(come_back(person)).copy_set_param("state", "forged")
    assert person.get(str(other)).headers["location"] == "/sign-in?failed="


def test_a_callback_with_another_code_or_none_is_refused(person: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    back = httpx.URL(come_back(person))
    refuse(person, str(back.copy_set_param("code", "forged-code")), caplog)
    caplog.clear()
    refuse(person, str(httpx.URL(come_back(person)).copy_remove_param("code")), caplog)


def test_a_code_is_bound_to_the_browser_that_asked(
    person: TestClient, application: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    stolen = httpx.URL(come_back(person)).params["code"]
    thief = TestClient(application, "http://scribe.example", headers={"accept": "text/html"}, follow_redirects=False)
    refuse(thief, str(httpx.URL(come_back(thief)).copy_set_param("code", stolen)), caplog)  # PKCE


def test_what_the_provider_refuses_is_refused(
    person: TestClient, provider: IdentityProvider, caplog: pytest.LogCaptureFixture
) -> None:
    provider.refuses = "access_denied"
    refuse(person, come_back(person), caplog)
    assert "access_denied" in caplog.text


def test_a_provider_without_an_id_token_is_refused(
    person: TestClient, provider: IdentityProvider, caplog: pytest.LogCaptureFixture
) -> None:
    provider.silent = True
    refuse(person, come_back(person), caplog)


def test_userinfo_of_somebody_else_is_refused(
    person: TestClient, provider: IdentityProvider, caplog: pytest.LogCaptureFixture
) -> None:
    provider.changes, provider.userinfo = {}, {"sub": "another", "preferred_username": "ada"}
    refuse(person, come_back(person), caplog)


def test_a_provider_that_speaks_for_another_is_refused_until_it_stops(
    person: TestClient, provider: IdentityProvider
) -> None:
    provider.described = {"issuer": "https://evil.example"}
    assert person.get("/sign-in/openid").headers["location"] == "/sign-in?failed="
    provider.described = {}
    assert person.get(come_back(person)).headers["location"] == "/c/dsp/"


@pytest.mark.parametrize("account", ["email"])
def test_an_e_mail_address_counts_only_if_it_is_verified(
    person: TestClient, provider: IdentityProvider, caplog: pytest.LogCaptureFixture
) -> None:
    assert "email" in httpx.URL(person.get("/sign-in/openid").headers["location"]).params["scope"].split()
    refuse(person, come_back(person), caplog)
    provider.changes = {"email_verified": True}
    assert person.get(come_back(person)).headers["location"] == "/c/dsp/"


def test_signing_in_leaves_nothing_of_the_session_before(
    campus: Campus, person: TestClient, provider: IdentityProvider
) -> None:
    person.get(come_back(person))
    first = read_session(person)["person"]["id"]
    provider.changes = {"preferred_username": "eve"}
    person.get(come_back(person))
    assert read_session(person)["person"]["id"] != first
    assert read_session(person)["person"]["places"] == {}


def test_the_way_back_leads_to_no_other_site(person: TestClient) -> None:
    assert person.get(come_back(person, "https://evil.example/")).headers["location"] == "/"
    assert person.get(come_back(person, "//evil.example/")).headers["location"] == "/"


def test_signing_out_offers_the_providers_way_out(person: TestClient, provider: IdentityProvider) -> None:
    person.get(come_back(person))
    out = person.post("/sign-out", headers={"origin": "http://scribe.example"}).headers["location"]
    assert "/sign-in/openid/out" in person.get(out).text
    assert person.get("/mine").status_code == 303
    there = httpx.URL(person.get("/sign-in/openid/out").headers["location"])
    assert str(there).startswith(f"{provider.address}/out?")
    assert there.params["post_logout_redirect_uri"] == "http://scribe.example/sign-in"


def test_without_a_way_out_there_signing_out_ends_here(person: TestClient, provider: IdentityProvider) -> None:
    provider.described = {"end_session_endpoint": None}
    assert person.get("/sign-in/openid/out").headers["location"] == "/sign-in"


def test_it_works_over_real_connections(application: FastAPI) -> None:
    with serve(application) as port, httpx.Client(follow_redirects=True, headers={"accept": "text/html"}) as browser:
        page = browser.get(f"http://127.0.0.1:{port}/sign-in/openid?next=/mine")
    assert str(page.url) == f"http://127.0.0.1:{port}/mine"
    assert load_texts("en")["my_data"]["title"] in page.text


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"issuer": ""}, "issuer"),
        ({"issuer": "http://idp.example"}, "https"),
        ({"client": ""}, "client"),
        ({"secret": "/none/such"}, "secret"),
    ],
)
def test_settings_that_cannot_work_are_named(campus: Campus, changes: dict[str, str], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        OpenidSignIn(replace(campus.settings.openid, **changes), campus.registrar, True)


def test_a_provider_that_is_away_is_a_failed_sign_in(
    campus: Campus, settings: CampusSettings, courses: list[Course]
) -> None:
    with serve(FastAPI()) as port:
        pass
    openid = replace(campus.settings.openid, issuer=f"http://127.0.0.1:{port}")
    accounts = replace(settings.accounts, sign_in=("openid",))
    moved = open_campus(replace(settings, accounts=accounts, openid=openid), courses, campus.database)
    with TestClient(build_application(moved, {}), "http://scribe.example", follow_redirects=False) as browser:
        assert browser.get("/sign-in/openid").headers["location"] == "/sign-in?failed="
