"""Signing in by OpenID Connect: the authorization code flow with PKCE, state and nonce, by Authlib."""

from pathlib import Path
from typing import Any

from authlib.integrations.starlette_client import OAuth
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from app.accounts.routes import SignInError, build_address, fail, read_language, read_target, refuse_unless_safe
from app.accounts.session import Registrar
from app.accounts.settings import OpenidSettings
from scribe.plumbing.errors import UsageError

NEXT = "openid_next"
CALLBACK = "/sign-in/openid/callback"
SIGNATURES = frozenset(f"{kind}{bits}" for kind in ("RS", "PS", "ES") for bits in (256, 384, 512)) | {"EdDSA"}
"""Algorithms that only the provider can sign with."""
LEEWAY = 60
PATIENCE = 10.0


class OpenidSignIn:
    """The routes to one provider and back. Raises UsageError for settings that cannot work.

    https: whether people see our pages under https.
    """

    def __init__(self, settings: OpenidSettings, registrar: Registrar, https: bool) -> None:
        if not settings.client:
            raise UsageError("[openid] client: the name that the provider knows Scribe by is missing")
        issuer = refuse_unless_safe(settings.issuer, "[openid] issuer").rstrip("/")
        self._settings = settings
        self._registrar = registrar
        self._https = https
        self._provider = OAuth().register(
            name="openid",
            client_id=settings.client,
            client_secret=_read_client_secret(settings.secret),
            server_metadata_url=f"{issuer}/.well-known/openid-configuration",
            client_kwargs={
                "scope": "openid profile email" if settings.account == "email" else "openid profile",
                "code_challenge_method": "S256",
                "timeout": PATIENCE,
            },
        )

    def routes(self) -> list[BaseRoute]:
        """To the provider, back from it, and out there too."""
        return [
            Route("/sign-in/openid", self.begin),
            Route(CALLBACK, self.finish),
            Route("/sign-in/openid/out", self.sign_out),
        ]

    async def begin(self, request: Request) -> Response:
        """Send the person to the provider."""
        try:
            await self._discover()
            request.session[NEXT] = read_target(request.query_params.get("next"))
            back = build_address(request, self._https, CALLBACK)
            answer: Response = await self._provider.authorize_redirect(request, back)
        except Exception as error:  # whatever it is: nothing of it is for a person to see
            return fail(request, "openid", error)
        return answer

    async def finish(self, request: Request) -> Response:
        """Believe what the provider says, if it is what it must be, and go where the person wanted to go."""
        where = read_target(request.session.pop(NEXT, "/"))
        try:
            claims = await self._fetch_claims(request)
            account = _read_account(claims, self._settings.account)
        except Exception as error:
            return fail(request, "openid", error)
        language = read_language(claims.get("locale"))
        self._registrar.sign_in(request, self._registrar.find_person(self._settings.issuer, account, language))
        return RedirectResponse(where, 303)

    async def sign_out(self, request: Request) -> Response:
        """To the provider's own way out, if it has one; ours is behind the person by then."""
        try:
            if not (await self._discover()).get("end_session_endpoint"):
                return RedirectResponse("/sign-in", 303)
            told = await self._provider.create_logout_url(
                post_logout_redirect_uri=build_address(request, self._https, "/sign-in"),
                client_id=self._settings.client,
            )
        except Exception as error:
            return fail(request, "openid", error)
        return RedirectResponse(told["url"], 303)

    async def _discover(self) -> dict[str, Any]:
        """What the provider says of itself, fetched once. Raises SignInError if it speaks for another issuer."""
        described: dict[str, Any] = await self._provider.load_server_metadata()
        if str(described.get("issuer")).rstrip("/") != self._settings.issuer.rstrip("/"):
            described.pop("_loaded_at", None)  # asked again next time
            raise SignInError("the provider speaks for another issuer than [openid] issuer")
        # Authlib allows what stands here, which could be `none` or a secret that two share.
        offered = described.get("id_token_signing_alg_values_supported") or ["RS256"]
        described["id_token_signing_alg_values_supported"] = [each for each in offered if each in SIGNATURES]
        return described

    async def _fetch_claims(self, request: Request) -> dict[str, Any]:
        """The claims of the ID token, signature, issuer, audience, expiry and nonce being right, and of userinfo."""
        described = await self._discover()
        token = await self._provider.authorize_access_token(
            request,
            leeway=LEEWAY,
            claims_options={
                "iss": {"essential": True, "value": described["issuer"]},
                "aud": {"essential": True, "value": self._settings.client},
            },
        )
        if "userinfo" not in token:
            raise SignInError("the provider sent no ID token")
        claims = dict(token["userinfo"])
        if {self._settings.account, "locale"} - claims.keys() and described.get("userinfo_endpoint"):
            # Without its expiry, or Authlib takes one that lasts a minute for one that is over.
            fresh = {name: token[name] for name in ("access_token", "token_type")}
            more = await self._provider.userinfo(token=fresh)
            if more.get("sub") != claims["sub"]:
                raise SignInError("userinfo is of another person than the ID token")
            claims = {**more, **claims}
        return claims


def _read_account(claims: dict[str, Any], name: str) -> str:
    """The account in a claim. Raises SignInError unless it is text; of an e-mail address, unless it is verified."""
    account = claims.get(name)
    if not isinstance(account, str) or not account:
        raise SignInError(f"the claim {name!r} is missing or no text")
    if name == "email" and claims.get("email_verified") is not True:
        raise SignInError("the e-mail address is not verified by the provider")
    return account


def _read_client_secret(path: str) -> str | None:
    """The secret that the provider gave; None for a client that has none. Raises UsageError if it can't be read."""
    if not path:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"[openid] secret: {path} cannot be read: {error}") from error
