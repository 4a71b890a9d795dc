"""A small OpenID provider: discovery, keys, authorize, token, userinfo, a way out. It can be told to lie."""

import base64
import hashlib
import secrets
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.app.accounts.serving import Claims, Sign, change, make_key, sign

CLIENT, SECRET = "scribe-client", "a-secret-of-two"


@dataclass
class IdentityProvider:
    """What it will say next; `reset` makes it honest again."""

    key: RSAKey = field(default_factory=lambda: make_key("idp-1"))
    address: str = ""
    issued: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: dict[str, str] = field(default_factory=dict)
    changes: Claims = field(default_factory=dict)
    userinfo: Claims = field(default_factory=dict)
    described: Claims = field(default_factory=dict)
    sign: Sign = sign
    refuses: str = ""
    silent: bool = False

    def reset(self) -> None:
        self.changes, self.userinfo, self.described = {"preferred_username": "ada"}, {}, {}
        self.sign, self.refuses, self.silent = sign, "", False

    def application(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self.describe),
                Route("/jwks", self.show_keys),
                Route("/authorize", self.authorize),
                Route("/token", self.give_token, methods=["POST"]),
                Route("/userinfo", self.tell),
            ]
        )

    def describe(self, request: Request) -> Response:
        said = {
            "issuer": self.address,
            "jwks_uri": f"{self.address}/jwks",
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "userinfo_endpoint": f"{self.address}/userinfo",
            "end_session_endpoint": f"{self.address}/out",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
        }
        return JSONResponse(change(said, self.described))

    def show_keys(self, request: Request) -> Response:
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})

    def authorize(self, request: Request) -> Response:
        """Signs in whoever comes, at once."""
        self.asked = asked = dict(request.query_params)
        assert asked["response_type"] == "code"
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        told = {"error": self.refuses} if self.refuses else {"code": secrets.token_urlsafe(8)}
        self.issued[told.get("code", "")] = asked
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({**told, 'state': asked['state']})}", 302)

    async def give_token(self, request: Request) -> Response:
        """A token for a code, once, for the client that can answer the challenge."""
        async with request.form() as form:
            asked = self.issued.pop(str(form.get("code")), None)
            digest = hashlib.sha256(str(form.get("code_verifier")).encode()).digest()
            expected = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
            if (
                asked is None
                or asked["code_challenge"] != base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
                or asked["redirect_uri"] != form.get("redirect_uri")
                or request.headers["authorization"] != f"Basic {expected}"
            ):
                return JSONResponse({"error": "invalid_grant"}, 400)
        token = {"access_token": "opaque", "token_type": "Bearer", "expires_in": 60}
        return JSONResponse(token if self.silent else {**token, "id_token": self.make_token(asked["nonce"])})

    def make_token(self, nonce: str) -> str:
        now = int(time.time())
        said: dict[str, Any] = {"iss": self.address, "aud": CLIENT, "sub": "subject-1", "nonce": nonce}
        said |= {"iat": now, "exp": now + 600, "name": "Ada Lovelace", "email": "ada@campus.example"}
        return self.sign(change(said, self.changes), self.key)

    def tell(self, request: Request) -> Response:
        assert request.headers["authorization"] == "Bearer opaque"
        return JSONResponse({"sub": "subject-1", **self.userinfo})
