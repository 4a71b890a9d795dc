import base64
import html
import json
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from joserfc.jwk import KeySet, RSAKey
from starlette.testclient import TestClient

from app.accounts.person import Person, Place
from app.accounts.platform import read_platforms
from app.accounts.session import read_person
from app.accounts.settings import LtiSettings
from app.campus.application import Campus, build_application, open_campus
from app.campus.settings import CampusSettings
from app.campus.texts import load_texts
from app.store.database import open_database
from data.course import Course
from scribe.errors import UsageError
from tests.app.accounts import serving
from tests.app.accounts.learning_platform import CLIENT, DEPLOYMENT, ROLE, LearningPlatform, lti, read_form
from tests.app.accounts.serving import Claims, serve

LAUNCH = "/sign-in/lti/launch"
Open = Callable[..., Campus]


def describe(platform: LearningPlatform, **changes: Any) -> Claims:
    """The platform's entry in the file of platforms."""
    return {
        "issuer": platform.address,
        "client_id": CLIENT,
        "auth_login_url": f"{platform.address}/auth",
        "key_set_url": f"{platform.address}/keys",
        "deployment_ids": [DEPLOYMENT],
        "account_prefix": "lms:",
        "courses": {"c-41": "dsp"},
    } | changes


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


def open_browser(campus: Campus | FastAPI) -> TestClient:
    application = build_application(campus, {}) if isinstance(campus, Campus) else campus
    return TestClient(application, "http://scribe.example", headers={"accept": "text/html"}, follow_redirects=False)


@pytest.fixture
def person(open_with: Open) -> TestClient:
    """A browser in front of a campus with the platform's plain entry."""
    return open_browser(open_with())


def follow_link(person: TestClient, platform: LearningPlatform, **changes: str) -> dict[str, str]:
    """Click on the link in the course: what the platform then has the browser post to the tool."""
    asked = person.post("/sign-in/lti/login", data={**platform.begin(), **changes}, headers=from_platform(platform))
    assert asked.status_code == 303
    page = httpx.get(asked.headers["location"])
    action, fields = read_form(page.text)
    assert action == f"http://scribe.example{LAUNCH}"
    return fields


def launch(person: TestClient, platform: LearningPlatform) -> httpx.Response:
    """The whole way of a launch."""
    fields = follow_link(person, platform)
    return person.post(LAUNCH, data=fields, headers=from_platform(platform))


def from_platform(platform: LearningPlatform) -> dict[str, str]:
    """What browsers say of a form that another site posts."""
    return {"origin": platform.address, "sec-fetch-site": "cross-site"}


def read_session(person: TestClient) -> Claims:
    told: Claims = json.loads(base64.b64decode(person.cookies["scribe"].split(".")[0] + "=="))
    return told


def who(person: TestClient) -> Person:
    found = read_person(read_session(person))
    assert found is not None
    return found


def test_a_student_of_the_roster_comes_to_their_course(person: TestClient, platform: LearningPlatform) -> None:
    opened = launch(person, platform)
    assert (opened.status_code, opened.headers["location"]) == (303, "/c/dsp/")
    assert person.get("/c/dsp/").headers["location"].startswith("/consent")
    assert who(person).places == {"dsp": Place("student", "s003"), "geo": Place("student", "s002")}
    assert who(person).language == "fr"
    assert '<html lang="fr">' in person.get("/mine", headers={"accept-language": "en"}).text


def test_the_login_may_be_a_link_and_need_no_client_id(person: TestClient, platform: LearningPlatform) -> None:
    given = platform.begin()
    del given["client_id"]
    there = person.get("/sign-in/lti/login", params=given).headers["location"]
    _, fields = read_form(httpx.get(there).text)
    assert person.post(LAUNCH, data=fields).headers["location"] == "/c/dsp/"


def test_no_name_address_or_token_is_kept(person: TestClient, platform: LearningPlatform) -> None:
    launch(person, platform)
    told = json.dumps(read_session(person))
    assert set(read_session(person)) == {"person"}
    assert not [each for each in ("Ada", "Lovelace", "campus.example", "lms", "eyJ", '"17"') if each in told]


@pytest.mark.parametrize(
    ("roles", "role"),
    [
        ([f"{ROLE}#Instructor"], "staff"),
        ([f"{ROLE}#Instructor", f"{ROLE}/Instructor#TeachingAssistant"], "staff"),
        ([f"{ROLE}/Instructor#TeachingAssistant"], "staff"),
        ([f"{ROLE}#Administrator"], "staff"),
        (["Instructor"], "staff"),
        ([f"{ROLE}#Learner", f"{ROLE}#Instructor"], "staff"),
        ([f"{ROLE}#Learner"], "student"),
        (["Learner"], "student"),
        ([f"{ROLE}#Learner", f"{ROLE}/Learner#Instructor"], "student"),
        ([f"{ROLE}#Learner", "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"], "student"),
        ([f"{ROLE}#Learner", "http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"], "student"),
        ([f"{ROLE}#Mentor"], None),
        (["http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator"], None),
        (["https://evil.example/membership#Instructor"], None),
        ([], None),
    ],
)
def test_the_role_in_the_course_decides(
    person: TestClient, platform: LearningPlatform, roles: list[str], role: str | None
) -> None:
    platform.changes = lti(roles=roles)
    assert launch(person, platform).headers["location"] == ("/c/dsp/" if role == "student" else "/")
    place = who(person).places.get("dsp")
    assert (place and place.role) == role


def test_somebody_whom_the_roster_calls_staff_is_none_where_they_learn(
    person: TestClient, platform: LearningPlatform
) -> None:
    platform.changes = {"sub": "99"}
    assert launch(person, platform).headers["location"] == "/"
    assert who(person).places == {}


@pytest.mark.parametrize(
    ("trust", "given", "expected"),
    [(True, "s004", "s004"), (False, "s004", None), (True, "s999", None), (True, "$Person.sourcedId", None)],
)
def test_a_student_id_in_the_launch_counts_if_the_platform_is_trusted_with_it(
    open_with: Open, platform: LearningPlatform, trust: bool, given: str, expected: str | None
) -> None:
    person = open_browser(open_with(trust_student=trust))
    platform.changes = {"sub": "55"} | lti(custom={"student": given})
    assert launch(person, platform).headers["location"] == ("/c/dsp/" if expected else "/")
    assert who(person).places == ({"dsp": Place("student", expected)} if expected else {})


def test_the_roster_goes_before_a_student_id_in_the_launch(open_with: Open, platform: LearningPlatform) -> None:
    person = open_browser(open_with(trust_student=True))
    platform.changes = lti(custom={"student": "s004"})
    launch(person, platform)
    assert who(person).places["dsp"].student == "s003"


@pytest.mark.parametrize(
    ("entry", "claims", "course"),
    [
        ({"courses": {"c-41": "geo"}}, {}, "geo"),
        ({"courses": {"DSP-2026": "geo"}}, {}, "geo"),
        ({"courses": {"c-41": "dsp", "DSP-2026": "geo"}}, {}, "dsp"),
        ({"courses": {"other": "dsp"}}, {"context": {"id": "dsp", "label": "dsp"}}, None),
        ({"courses": {"c-41": "unknown"}}, {}, None),
        ({"courses": None}, {"context": {"id": 41, "label": "dsp"}}, "dsp"),
        ({"courses": None}, {"context": {"id": "geo"}}, "geo"),
        ({"courses": None}, {}, None),
        ({}, {"context": None}, None),
        ({}, {"custom": {"course": "geo"}}, "dsp"),
        ({"trust_course": True}, {"custom": {"course": "geo"}}, "geo"),
        ({"trust_course": True}, {"custom": {"course": "unknown"}}, None),
        ({"trust_course": True}, {"custom": {"course": "$Context.label"}}, "dsp"),
    ],
)
def test_the_course_is_that_of_the_launch(
    open_with: Open, platform: LearningPlatform, entry: Claims, claims: Claims, course: str | None
) -> None:
    person = open_browser(open_with(**entry))
    platform.changes = {"sub": "55"} | lti(roles=["Instructor"], **claims)
    launch(person, platform)
    assert who(person).places == ({course: Place("staff")} if course else {})


def test_a_launch_from_a_course_that_is_none_of_ours_is_told_to_the_administrator(
    person: TestClient, platform: LearningPlatform, caplog: pytest.LogCaptureFixture
) -> None:
    platform.changes = {"sub": "55"} | lti(context={"id": "c-99", "label": "ALG"})
    assert launch(person, platform).headers["location"] == "/"
    assert load_texts("fr")["no_courses"] in html.unescape(person.get("/").text)
    assert "('c-99', 'ALG')" in caplog.text


@pytest.mark.parametrize(
    ("changes", "language"),
    [
        ({"locale": "en-GB"}, "en"),
        ({"locale": "fr-CH"}, "fr"),
        ({"locale": "de"}, ""),
        (lti(launch_presentation={"locale": "en"}), "en"),
        (lti(launch_presentation=None), ""),
    ],
)
def test_the_language_is_the_persons_else_the_platforms(
    person: TestClient, platform: LearningPlatform, changes: Claims, language: str
) -> None:
    platform.changes = changes
    launch(person, platform)
    assert who(person).language == language


NOW = int(time.time())
FORGED: dict[str, Any] = {
    "another nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "expired": {"exp": NOW - 3600},
    "no expiry": {"exp": None},
    "an expiry that is no time": {"exp": "never"},
    "of the future": {"iat": NOW + 3600},
    "no time of issue": {"iat": None},
    "another audience": {"aud": "another"},
    "several audiences, for another": {"aud": [CLIENT, "another"], "azp": "another"},
    "several audiences, for nobody": {"aud": [CLIENT, "another"]},
    "another issuer": {"iss": "https://evil.example"},
    "another deployment": lti(deployment_id="8:other"),
    "no deployment": lti(deployment_id=None),
    "nobody": {"sub": None},
    "an empty account": {"sub": ""},
    "another kind of message": lti(message_type="LtiDeepLinkingRequest"),
    "another version": lti(version="1.1.0"),
    "no link": lti(resource_link=None),
    "no roles": lti(roles=None),
    "a target on another site": lti(target_link_uri="https://evil.example/sign-in/lti/launch"),
    "a target that begins like ours": lti(target_link_uri="http://scribe.example.evil.example/"),
    "no target": lti(target_link_uri=None),
    "no signature": serving.sign_with_nothing,
    "a signature with the public key": serving.sign_with_public_key,
    "another key of the same name": serving.sign_with_other_key,
    "an unknown key": serving.sign_with_unknown_key,
    "a key of its own": serving.sign_with_own_key_inside,
    "changed after signing": serving.change_after_signing,
    "no token": lambda claims, key: "",
    "no token at all": lambda claims, key: "a.b.c",
}


@pytest.mark.parametrize("lie", FORGED)
def test_a_forged_launch_is_refused(
    person: TestClient, platform: LearningPlatform, caplog: pytest.LogCaptureFixture, lie: str
) -> None:
    if callable(FORGED[lie]):
        platform.sign = FORGED[lie]
    else:
        platform.changes = FORGED[lie]
    fields = follow_link(person, platform)
    refuse(person, platform, fields, caplog)
    # Nor does the state of a refused launch let a better one in.
    platform.reset()
    again = person.post(LAUNCH, data={**fields, "id_token": platform.make_token("x")})
    assert again.headers["location"] == "/sign-in?failed="


def refuse(
    person: TestClient, platform: LearningPlatform, fields: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    """Nobody is signed in by this, and nothing secret is in the log."""
    with caplog.at_level(logging.INFO):
        failed = person.post(LAUNCH, data=fields, headers=from_platform(platform))
    assert (failed.status_code, failed.headers["location"]) == (303, "/sign-in?failed=")
    assert person.get("/mine").status_code == 303
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("app.")]
    assert len(lines) == 1
    assert lines[0].startswith("sign-in by lti failed: ")
    assert not [each for each in ("eyJ", "Ada", "campus.example", fields["state"]) if each in lines[0]]


def test_a_launch_is_good_once(person: TestClient, platform: LearningPlatform) -> None:
    fields = follow_link(person, platform)
    before = dict(person.cookies)
    assert person.post(LAUNCH, data=fields).headers["location"] == "/c/dsp/"
    assert person.post(LAUNCH, data=fields).headers["location"] == "/sign-in?failed="  # the back button
    person.cookies.clear()
    person.cookies.update(before)  # whoever kept the cookie too
    assert person.post(LAUNCH, data=fields).headers["location"] == "/sign-in?failed="


def test_a_launch_is_good_in_the_browser_that_began_it_alone(
    open_with: Open, platform: LearningPlatform, caplog: pytest.LogCaptureFixture
) -> None:
    application = build_application(open_with(), {})
    fields = follow_link(open_browser(application), platform)
    other = open_browser(application)
    follow_link(other, platform)
    refuse(other, platform, fields, caplog)


def test_a_token_of_one_login_is_not_good_for_another(
    person: TestClient, platform: LearningPlatform, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = follow_link(person, platform), follow_link(person, platform)
    refuse(person, platform, {"id_token": first["id_token"], "state": second["state"]}, caplog)


def test_several_windows_may_be_on_their_way(person: TestClient, platform: LearningPlatform) -> None:
    first, second = follow_link(person, platform), follow_link(person, platform)
    assert first["state"] != second["state"]
    assert person.post(LAUNCH, data=first).headers["location"] == "/c/dsp/"


def test_a_launch_without_a_login_says_what_may_be_the_matter(person: TestClient, platform: LearningPlatform) -> None:
    fields = {"id_token": platform.make_token("x"), "state": "made-up"}
    failed = person.post(LAUNCH, data=fields, headers=from_platform(platform))
    assert failed.headers["location"] == "/sign-in?failed=cookie"
    assert "new window" in person.get("/sign-in?failed=cookie").text
    assert "nouvelle fenêtre" in person.get("/sign-in?failed=cookie", headers={"accept-language": "fr"}).text


@pytest.mark.parametrize(
    "changes", [{"iss": "https://evil.example"}, {"client_id": "another"}, {"login_hint": ""}, {"iss": ""}]
)
def test_a_login_from_elsewhere_is_refused(
    person: TestClient, platform: LearningPlatform, changes: dict[str, str]
) -> None:
    for send in (person.post, person.get):
        given = {"data" if send == person.post else "params": {**platform.begin(), **changes}}
        assert send("/sign-in/lti/login", **given).headers["location"] == "/sign-in?failed="


def test_two_platforms_keep_their_people_apart(open_with: Open, platform: LearningPlatform) -> None:
    other = describe(platform, issuer="https://other.example", account_prefix="other:")
    campus = open_with(describe(platform), other)
    person = open_browser(campus)
    launch(person, platform)
    assert who(person).id == campus.registrar.find_person(platform.address, "lms:17").id
    # A token that the one signs is not good for a login of the other, which shares its keys here.
    asked = httpx.URL(
        person.post("/sign-in/lti/login", data={**platform.begin(), "iss": "https://other.example"}).headers["location"]
    )
    token = platform.make_token(asked.params["nonce"])
    failed = person.post(LAUNCH, data={"id_token": token, "state": asked.params["state"]})
    assert failed.headers["location"] == "/sign-in?failed="


def test_a_key_that_the_platform_changed_is_fetched_and_others_are_not_asked_for_again(
    person: TestClient, platform: LearningPlatform
) -> None:
    for _ in range(3):
        launch(person, platform)
    assert platform.fetched == 1
    platform.key = serving.make_key("lms-2")
    assert launch(person, platform).headers["location"] == "/c/dsp/"
    assert platform.fetched == 2


def test_keys_may_stand_in_the_file(open_with: Open, platform: LearningPlatform) -> None:
    keys = KeySet([platform.key]).as_dict(private=False)
    person = open_browser(open_with(key_set=keys, key_set_url=""))
    assert launch(person, platform).headers["location"] == "/c/dsp/"
    assert platform.fetched == 0
    platform.sign = serving.sign_with_unknown_key
    assert launch(person, platform).headers["location"] == "/sign-in?failed="


def test_a_platform_that_is_away_is_a_failed_sign_in(open_with: Open, platform: LearningPlatform) -> None:
    with serve(FastAPI()) as port:
        person = open_browser(open_with(key_set_url=f"http://127.0.0.1:{port}/keys"))
        assert launch(person, platform).headers["location"] == "/sign-in?failed="
    assert launch(person, platform).headers["location"] == "/sign-in?failed="


def test_our_public_key_is_shown_and_nothing_more_of_it(person: TestClient) -> None:
    (shown,) = person.get("/sign-in/lti/keys").json()["keys"]
    assert set(shown) == {"kty", "n", "e", "kid", "use", "alg"}


def test_a_launch_cannot_be_asked_for_by_a_link(person: TestClient) -> None:
    assert person.get(LAUNCH).status_code == 405


def test_it_works_over_real_connections(open_with: Open, platform: LearningPlatform) -> None:
    with serve(build_application(open_with(), {})) as port, httpx.Client(follow_redirects=True) as browser:
        platform.tool = f"http://127.0.0.1:{port}"
        action, fields = read_form(browser.get(f"{platform.tool}/sign-in/lti/login", params=platform.begin()).text)
        platform.changes = {"sub": "55"}
        page = browser.post(action, data=fields, headers={"accept": "text/html", **from_platform(platform)})
        platform.tool = "http://scribe.example"
    assert str(page.url).endswith("/consent?next=/c/dsp/")


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"deployment_ids": None}, "0.deployment_ids"),
        ({"trust_studnet": True}, "0.trust_studnet"),
        ({"key_set_url": "", "key_set": {}}, "key_set_url"),
        ({"key_set": {"keys": []}}, "no set of keys"),
        ({"key_set": {"keys": [{"kty": "RSA"}]}}, "no set of keys"),
        ({"auth_login_url": "http://lms.example/auth"}, "https"),
        ({"auth_login_url": "javascript:alert(1)"}, "https"),
    ],
)
def test_a_faulty_entry_is_named(open_with: Open, changes: Claims, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        open_with(**changes)


def test_accounts_that_could_be_taken_for_others_are_refused(
    open_with: Open, platform: LearningPlatform, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="account_prefix"):
        open_with(describe(platform), describe(platform, issuer="https://other.example"))
    with pytest.raises(UsageError, match="stands twice"):
        open_with(describe(platform), describe(platform))
    open_with(account_prefix="")
    with pytest.raises(UsageError, match="account_prefix"):  # the roster's 17 may be an account of the campus
        read_platforms(tmp_path / "lti.json", alone=False)


def test_a_file_that_lists_nothing_or_is_none_is_named(
    open_with: Open, settings: CampusSettings, courses: list[Course], tool_key: Path, tmp_path: Path
) -> None:
    campus = open_with()
    accounts = replace(settings.accounts, sign_in=("lti",))
    faults = {"[]": "lists no platform", "{": "JSON", "{}": "the file", None: "cannot be read"}
    for content, complaint in faults.items():
        path = tmp_path / "other.json"
        path.unlink(missing_ok=True)
        if content is not None:
            path.write_text(content)
        told = replace(settings, accounts=accounts, lti=LtiSettings(str(path), str(tool_key)))
        with pytest.raises(UsageError, match=complaint):
            open_campus(told, courses, campus.database)


def test_a_key_that_is_none_or_public_is_named(open_with: Open, tool_key: Path) -> None:
    kept = tool_key.read_bytes()
    for content in (b"", b"no key", RSAKey.import_key(kept).as_pem(private=False)):
        tool_key.write_bytes(content)
        try:
            with pytest.raises(UsageError, match="openssl genrsa"):
                open_with()
        finally:
            tool_key.write_bytes(kept)
