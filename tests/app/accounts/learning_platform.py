"""A small LTI 1.3 platform: keys, and a launch that it posts through the browser. It can be told to lie."""

import html
import re
import time
from dataclasses import dataclass, field
from typing import Any

from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.app.accounts.serving import Claims, Sign, change, make_key, sign

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership"
CLIENT, DEPLOYMENT = "10000000000001", "7:abc"


def lti(**changes: Any) -> Claims:
    """Claims of LTI by their short names."""
    return {CLAIM + name: value for name, value in changes.items()}


@dataclass
class LearningPlatform:
    """What it will say next; `reset` makes it honest again."""

    tool: str = "http://scribe.example"
    key: RSAKey = field(default_factory=lambda: make_key("lms-1"))
    address: str = ""
    changes: Claims = field(default_factory=dict)
    sign: Sign = sign
    fetched: int = 0

    def reset(self) -> None:
        self.changes, self.sign, self.fetched = {}, sign, 0

    def application(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/course", self.show_course),
                Route("/keys", self.show_keys),
                Route("/auth", self.authorize),
            ]
        )

    def begin(self) -> dict[str, str]:
        """What the platform sends to the tool's login."""
        return {
            "iss": self.address,
            "client_id": CLIENT,
            "lti_deployment_id": DEPLOYMENT,
            "login_hint": "17",
            "lti_message_hint": '{"cmid":5}',
            "target_link_uri": f"{self.tool}/sign-in/lti/launch",
        }

    def show_course(self, request: Request) -> Response:
        """A page with the tool in a frame, and a link to it in a new window."""
        form = _make_form(f"{self.tool}/sign-in/lti/login", self.begin())
        return HTMLResponse(
            f"<title>Course</title>{form.replace('<form', '<form id=framed target=tool')}"
            f"{form.replace('<form', '<form id=window target=_blank')}<iframe name=tool width=900 height=600></iframe>"
        )

    def show_keys(self, request: Request) -> Response:
        self.fetched += 1
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    def authorize(self, request: Request) -> Response:
        """A page that posts the launch to the tool by itself."""
        asked = dict(request.query_params)
        expected = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}
        assert expected.items() <= asked.items()
        assert (asked["client_id"], asked["login_hint"], asked["lti_message_hint"]) == (CLIENT, "17", '{"cmid":5}')
        token = self.make_token(asked["nonce"])
        form = _make_form(asked["redirect_uri"], {"id_token": token, "state": asked["state"]})
        return HTMLResponse(f"{form}<script>document.forms[0].submit()</script>")

    def make_token(self, nonce: str) -> str:
        now = int(time.time())
        said = {"iss": self.address, "aud": CLIENT, "sub": "17", "nonce": nonce, "iat": now, "exp": now + 600}
        said |= {"name": "Ada Lovelace", "email": "ada@campus.example", "given_name": "Ada"}
        said |= lti(
            message_type="LtiResourceLinkRequest",
            version="1.3.0",
            deployment_id=DEPLOYMENT,
            target_link_uri=f"{self.tool}/sign-in/lti/launch",
            resource_link={"id": "link-1", "title": "Scribe"},
            roles=[f"{ROLE}#Learner", "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Student"],
            context={"id": "c-41", "label": "DSP-2026", "title": "Signals", "type": []},
            launch_presentation={"locale": "fr_ca", "document_target": "iframe"},
        )
        return self.sign(change(said, self.changes), self.key)


def read_form(page: str) -> tuple[str, dict[str, str]]:
    """Where a page's first form is posted to, and its fields."""
    action = re.search(r'action="([^"]*)"', page)
    assert action is not None
    fields = re.findall(r'name="([^"]*)" value="([^"]*)"', page)
    return html.unescape(action.group(1)), {name: html.unescape(value) for name, value in fields}


def _make_form(action: str, fields: dict[str, str]) -> str:
    inputs = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in fields.items()
    )
    return f'<form method="post" action="{html.escape(action)}">{inputs}<button>Open</button></form>'
