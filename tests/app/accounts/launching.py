"""What tests of launches share: an entry in the file of platforms, a browser, and the way of a launch."""

import base64
import json
from collections.abc import Callable
from typing import Any

import httpx
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.accounts.person import Person
from app.accounts.session import read_person
from app.campus.application import Campus, build_application
from tests.app.accounts.learning_platform import CLIENT, DEPLOYMENT, LearningPlatform, read_form
from tests.app.accounts.serving import Claims

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


def open_browser(campus: Campus | FastAPI) -> TestClient:
    application = build_application(campus, {}) if isinstance(campus, Campus) else campus
    return TestClient(application, "http://scribe.example", headers={"accept": "text/html"}, follow_redirects=False)


def follow_link(person: TestClient, platform: LearningPlatform, **changes: str) -> dict[str, str]:
    """Click on the link in the course: what the platform then has the browser post to the tool."""
    asked = person.post("/sign-in/lti/login", data={**platform.begin(), **changes}, headers=from_platform(platform))
    assert asked.status_code == 303
    page = httpx.get(asked.headers["location"])
    action, fields = read_form(page.text)
    assert action == f"http://scribe.example{LAUNCH}"
    return fields


def launch(person: TestClient, platform: LearningPlatform) -> Any:
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
