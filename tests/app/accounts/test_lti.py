import html
import json
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from joserfc.jwk import KeySet, RSAKey
from starlette.testclient import TestClient

from app.accounts.person import Place
from app.accounts.platform import read_platforms
from app.accounts.settings import LtiSettings
from app.campus.application import build_application, open_campus
from app.campus.settings import CampusSettings
from app.campus.texts import load_texts
from data.course import Course
from scribe.plumbing.errors import UsageError
from tests.app.accounts import serving
from tests.app.accounts.launching import LAUNCH, Open, describe, from_platform, launch, open_browser, read_session, who
from tests.app.accounts.learning_platform import ROLE, LearningPlatform, lti, read_form
from tests.app.accounts.serving import Claims, serve


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
