import logging
import time
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.campus.application import build_application
from tests.app.accounts import serving
from tests.app.accounts.launching import LAUNCH, Open, follow_link, from_platform, open_browser
from tests.app.accounts.learning_platform import CLIENT, LearningPlatform, lti

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
        given: dict[str, Any] = {"data" if send == person.post else "params": {**platform.begin(), **changes}}
        assert send("/sign-in/lti/login", **given).headers["location"] == "/sign-in?failed="
