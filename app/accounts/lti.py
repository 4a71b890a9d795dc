"""Signing in by an LTI 1.3 launch from Moodle, Canvas and the like (IMS Security Framework 1.0, section 5.1).

By joserfc, which Authlib brings, rather than pylti1p3next: that one (2.0.2) takes the same launch twice, one without an
expiry and one for another tool's `azp`, writes the whole launch with name and e-mail into the session, which here is a
cookie, fetches keys without a time limit, and has nothing for Starlette.
"""

import dataclasses
import logging
import secrets
import time
from collections.abc import Collection, Mapping
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from joserfc.errors import JoseError
from joserfc.jwk import RSAKey
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from app.accounts.launch import LaunchMessage, check_launch, find_course, find_place, merge_places
from app.accounts.platform import Platform, PlatformKeys, read_platforms
from app.accounts.routes import SignInError, build_address, fail, read_language
from app.accounts.session import Registrar
from app.accounts.settings import LtiSettings
from scribe.plumbing.errors import UsageError

PENDING = "lti"
MOST_PENDING = 4
LIFETIME = 600
"""Seconds that somebody may take from the login to the launch."""
LAUNCH = "/sign-in/lti/launch"
SHORTEST_KEY = 2048

log = logging.getLogger(__name__)


class LtiSignIn:
    """The routes that a platform calls. Raises UsageError for settings that cannot work.

    students: the ids of each course. https: whether people see our pages under https. alone: whether this is the only
    way to sign in.
    """

    def __init__(
        self,
        settings: LtiSettings,
        registrar: Registrar,
        students: Mapping[str, Collection[str]],
        https: bool,
        alone: bool,
    ) -> None:
        platforms = read_platforms(Path(settings.platforms), alone)
        self._platforms = {(each.issuer, each.client_id): (each, PlatformKeys(each)) for each in platforms}
        self._key = _read_key(Path(settings.key))
        self._registrar = registrar
        self._students = students
        self._https = https
        self._spent: dict[str, float] = {}

    def routes(self) -> list[BaseRoute]:
        """The three addresses that a platform is told."""
        return [
            Route("/sign-in/lti/login", self.begin, methods=["GET", "POST"]),
            Route(LAUNCH, self.launch, methods=["POST"]),
            Route("/sign-in/lti/keys", self.show_keys),
        ]

    async def begin(self, request: Request) -> Response:
        """Answer a login that a platform began by asking it who this is."""
        given = await _read_form(request) if request.method == "POST" else dict(request.query_params)
        try:
            platform = self._find_platform(given.get("iss", ""), given.get("client_id", ""))
            if not given.get("login_hint"):
                raise SignInError("the platform gave no login_hint")
        except SignInError as error:
            return fail(request, "lti", error)
        state, nonce = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        kept = list(request.session.get(PENDING, {}).items())[1 - MOST_PENDING :]
        started = [platform.issuer, platform.client_id, nonce, int(time.time())]
        request.session[PENDING] = {**dict(kept), state: started}
        asked = {
            "scope": "openid",
            "response_type": "id_token",
            "response_mode": "form_post",
            "prompt": "none",
            "client_id": platform.client_id,
            "redirect_uri": build_address(request, self._https, LAUNCH),
            "login_hint": given["login_hint"],
            "state": state,
            "nonce": nonce,
        }
        if given.get("lti_message_hint"):
            asked["lti_message_hint"] = given["lti_message_hint"]
        joint = "&" if urlsplit(platform.auth_login_url).query else "?"
        return RedirectResponse(f"{platform.auth_login_url}{joint}{urlencode(asked)}", 303)

    async def launch(self, request: Request) -> Response:
        """Believe a launch, if it is what it must be, and open the course it comes from."""
        try:
            platform, message = await self._read_launch(request)
        except Exception as error:  # whatever it is: nothing of it is for a person to see
            return fail(request, "lti", error)
        account = platform.account_prefix + message.sub
        person = self._registrar.find_person(platform.issuer, account, read_language(message.any_locale))
        course, place = find_course(message, platform, self._students), None
        if course:
            place = find_place(message, platform, person.places.get(course), self._students[course])
            person = dataclasses.replace(person, places=merge_places(person.places, course, place))
        else:
            context = message.context and (message.context.id[:60], (message.context.label or "")[:60])
            log.warning("a launch from %s is of no course of ours: context %r", platform.issuer, context)
        self._registrar.sign_in(request, person)
        return RedirectResponse(f"/c/{course}/" if place is not None and place.role == "student" else "/", 303)

    async def show_keys(self, request: Request) -> Response:
        """Our public key, which platforms want to have."""
        shown = self._key.as_dict(private=False, use="sig", alg="RS256")
        return JSONResponse({"keys": [shown]}, headers={"cache-control": "max-age=3600"})

    def _find_platform(self, issuer: str, client: str) -> Platform:
        """The platform; without a client id, the issuer's only one."""
        found = [platform for (_, id), (platform, _) in self._platforms.items() if platform.issuer == issuer]
        found = [each for each in found if not client or each.client_id == client]
        if len(found) != 1:
            raise SignInError(f"no platform {issuer[:100]!r} with client_id {client[:60]!r} in [lti] platforms")
        return found[0]

    async def _read_launch(self, request: Request) -> tuple[Platform, LaunchMessage]:
        """The message that was posted, signed by the platform that this browser came from, and no older one."""
        given = await _read_form(request)
        pending = dict(request.session.get(PENDING, {}))
        if not request.session:
            raise SignInError("the browser kept no cookie of the login", "cookie")
        started = pending.pop(given.get("state", ""), None)
        if started is None:
            raise SignInError("the state is not of this browser, or was used before")
        request.session[PENDING] = pending
        issuer, client, nonce, since = started
        if time.time() - since > LIFETIME:
            raise SignInError("the login is too long ago")
        platform, keys = self._platforms[issuer, client]
        message = check_launch(await keys.read_claims(given.get("id_token", "")), platform, nonce)
        if urlsplit(message.target_link_uri)[:2] != urlsplit(build_address(request, self._https, ""))[:2]:
            raise SignInError("target_link_uri leads to another site")
        self._spend(nonce)
        return platform, message

    def _spend(self, nonce: str) -> None:
        """Raise SignInError if this process saw the nonce before, in a cookie that was kept for another try."""
        now = time.monotonic()
        self._spent = {each: when for each, when in self._spent.items() if now - when < 2 * LIFETIME}
        if nonce in self._spent:
            raise SignInError("the launch was used before")
        self._spent[nonce] = now


async def _read_form(request: Request) -> dict[str, str]:
    async with request.form(max_files=0, max_fields=40) as form:
        return {name: value for name, value in form.items() if isinstance(value, str)}


def _read_key(path: Path) -> RSAKey:
    """Our private key. Raises UsageError that says how one is made."""
    try:
        key = RSAKey.import_key(path.read_bytes())
        if not key.is_private or key.raw_value.key_size < SHORTEST_KEY:
            raise ValueError("it is public or too short")
    except (OSError, ValueError, JoseError) as error:
        raise UsageError(
            f"[lti] key: {path} holds no private RSA key of {SHORTEST_KEY} bits or more ({error}); "
            f"`openssl genrsa -out {path} {SHORTEST_KEY}` makes one"
        ) from error
    key.ensure_kid()
    return key
