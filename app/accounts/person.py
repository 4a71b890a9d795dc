"""A person who signed in, their places in courses, and the pseudonym under which everything of theirs is kept."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Role = Literal["student", "staff"]
LANGUAGES = ("en", "fr")
"""Those that a sign-in can say."""


@dataclass(frozen=True, slots=True)
class Place:
    """What somebody is in a course: a student, with the id whose report they see, or staff, with none."""

    role: Role
    student: str = ""


@dataclass(frozen=True, slots=True)
class Person:
    """Who is asking, as all of Scribe but the sign-in knows them.

    id: the pseudonym. places: by course id. language: `en` or `fr` where the sign-in said one, else empty, and the
    browser decides.
    """

    id: str
    places: Mapping[str, Place] = field(default_factory=dict)
    language: str = ""

    @property
    def is_staff(self) -> bool:
        """Whether they are staff of any course."""
        return any(place.role == "staff" for place in self.places.values())


def make_pseudonym(secret: bytes, issuer: str, subject: str) -> str:
    """24 hex digits that stand for this account of this issuer: HMAC-SHA-256 under the campus's secret.

    Without the secret nobody can tell from it who that is, or try all accounts.
    """
    message = f"{len(issuer)}:{issuer}{subject}".encode()
    return hmac.new(secret, message, hashlib.sha256).hexdigest()[:24]
