"""How people sign in, as the settings file says it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from annotated_types import Ge

from scribe.plumbing.errors import UsageError

SignIn = Literal["header", "openid", "lti"]
SHORTEST_SECRET = 32


@dataclass(frozen=True, slots=True)
class AccountSettings:
    """`sign_in`: the ways that are open, e.g. `["openid", "lti"]`; none: only the demo exists.

    roster: CSV of accounts, courses, students, roles. secret: a file of at least 32 random bytes, under which
    pseudonyms and cookies are made; whoever changes it makes everybody a new person. hours: after which one signs in
    again. https: whether browsers send the cookie over HTTPS only; false is for trying things out on one machine.
    """

    sign_in: tuple[SignIn, ...] = ()
    roster: str = "roster.csv"
    secret: str = "secret"
    hours: Annotated[int, Ge(1)] = 8
    https: bool = True


@dataclass(frozen=True, slots=True)
class HeaderSettings:
    """A proxy that signs people in (Shibboleth, SAML) and says who they are in a header.

    account: the header with the account's name. proxies: addresses or networks that it is believed from. proof: the
    header in which the proxy shows that it knows what stands in the file `secret`; it must be set.
    """

    account: str = "X-Remote-User"
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")
    proof: str = "X-Scribe-Proof"
    secret: str = ""


@dataclass(frozen=True, slots=True)
class OpenidSettings:
    """An OpenID Connect provider. account: the claim that the roster names accounts by; `secret`: a file."""

    issuer: str = ""
    client: str = ""
    secret: str = ""
    account: str = "sub"


@dataclass(frozen=True, slots=True)
class LtiSettings:
    """LTI 1.3 platforms. `platforms`: a JSON file of them, key: a PEM file with our private key (both by the guide)."""

    platforms: str = "lti.json"
    key: str = "lti-key.pem"


def read_secret(path: str, what: str) -> bytes:
    """What a secret's file holds, without the space around it. Raises UsageError if it is absent or too short."""
    try:
        secret = Path(path).read_bytes().strip() if path else b""
    except OSError as error:
        raise UsageError(f"{what}: {path} cannot be read: {error.strerror}") from error
    if len(secret) < SHORTEST_SECRET:
        raise UsageError(
            f"{what}: {path or 'no file is named, and it'} must hold {SHORTEST_SECRET} bytes or more; "
            "`openssl rand -hex 32 > FILE` makes one"
        )
    return secret
