"""Which learning platforms may launch Scribe, and the keys that they sign with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry
from pydantic import TypeAdapter, ValidationError, with_config

from app.accounts.routes import SignInError, refuse_unless_safe
from scribe.plumbing.errors import UsageError

SIGNATURE = JWSRegistry(algorithms=["RS256"], strict_check_header=False)
"""What LTI demands of every platform."""
PATIENCE = 10.0


@with_config({"extra": "forbid"})
@dataclass(frozen=True, slots=True)
class Platform:
    """A learning platform, as the file of `[lti] platforms` describes it.

    key_set_url: where its public keys are, or key_set: the keys (RFC 7517). account_prefix: what the roster puts before
    this platform's user ids. courses: our course by the platform's context id or label; without it these are our ids.
    trust_course, trust_student: whether the custom parameters `course` and `student` count, which in many platforms
    every teacher may set.
    """

    issuer: str
    client_id: str
    auth_login_url: str
    deployment_ids: tuple[str, ...]
    key_set_url: str = ""
    key_set: Mapping[str, Any] = field(default_factory=dict)
    account_prefix: str = ""
    courses: Mapping[str, str] | None = None
    trust_course: bool = False
    trust_student: bool = False


def read_platforms(path: Path, alone: bool) -> list[Platform]:
    """The platforms in a JSON file. alone: whether nobody signs in another way. Raises UsageError naming the file."""
    try:
        platforms = TypeAdapter(list[Platform]).validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"[lti] platforms: {path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"[lti] platforms: {path}: {where or 'the file'}: {first['msg']}") from error
    if not platforms:
        raise UsageError(f"[lti] platforms: {path} lists no platform")
    for each in platforms:
        refuse_unless_safe(each.auth_login_url, f"{path}: auth_login_url of {each.issuer}")
        if not each.key_set:
            refuse_unless_safe(each.key_set_url, f"{path}: key_set_url of {each.issuer}")
    if len({(each.issuer, each.client_id) for each in platforms}) < len(platforms):
        raise UsageError(f"{path}: an issuer's client_id stands twice")
    prefixes = {each.issuer: each.account_prefix for each in platforms}
    if len(set(prefixes.values())) < len(prefixes) or ("" in prefixes.values() and not alone):
        raise UsageError(
            f"{path}: each issuer needs an account_prefix of its own (the roster then says moodle:17, not 17), "
            "or one's accounts could be taken for another's"
        )
    return platforms


class PlatformKeys:
    """The public keys of one platform, fetched when first needed, and again when a token names one not among them."""

    def __init__(self, platform: Platform) -> None:
        """Raises UsageError if keys that the platform's entry holds are none."""
        self._address = "" if platform.key_set else platform.key_set_url
        self._keys: KeySet | None = None
        try:
            if platform.key_set:
                self._keys = _import_keys(platform.key_set)
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise UsageError(f"[lti] platforms: key_set of {platform.issuer} is no set of keys") from error

    async def read_claims(self, token: str) -> dict[str, Any]:
        """The claims of a token that one of these keys signed. Raises JoseError, SignInError or httpx.HTTPError."""
        keys = self._keys if self._keys is not None else await self._fetch()
        try:
            return jwt.decode(token, keys, registry=SIGNATURE).claims
        except InvalidKeyIdError:
            if not self._address:
                raise
        return jwt.decode(token, await self._fetch(), registry=SIGNATURE).claims

    async def _fetch(self) -> KeySet:
        async with httpx.AsyncClient(timeout=PATIENCE) as client:
            answer = await client.get(self._address)
        try:
            self._keys = _import_keys(answer.raise_for_status().json())
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise SignInError("the platform's key_set_url holds no set of keys") from error
        return self._keys


def _import_keys(given: Any) -> KeySet:
    return KeySet.import_key_set(given)
