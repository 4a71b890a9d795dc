"""A person who signed in, and the pseudonym under which everything of theirs is kept."""

import hashlib
import hmac
from dataclasses import dataclass
from typing import Literal

Role = Literal["student", "staff"]


@dataclass(frozen=True, slots=True)
class Person:
    """Who is asking, as all of Scribe but the sign-in knows them.

    id: the pseudonym. course, student: whose report they see; staff have no student. language: `en` or `fr` where the
    sign-in said one, else empty, and the browser decides.
    """

    id: str
    course: str
    student: str
    role: Role = "student"
    language: str = ""


def make_pseudonym(secret: bytes, issuer: str, subject: str) -> str:
    """24 hex digits that stand for this account of this issuer: HMAC-SHA-256 under the campus's secret.

    Without the secret nobody can tell from it who that is, or try all accounts.
    """
    message = f"{len(issuer)}:{issuer}{subject}".encode()
    return hmac.new(secret, message, hashlib.sha256).hexdigest()[:24]
