"""What a signed cookie says of who is signed in, and from an account to a person."""

from collections.abc import Mapping
from typing import Any

from starlette.requests import HTTPConnection

from app.accounts.person import Person, Place, make_pseudonym
from app.accounts.roster import Roster

KEY = "person"


class Registrar:
    """Makes persons of accounts, and keeps them in the session's cookie, which is signed and readable to its owner."""

    def __init__(self, secret: bytes, roster: Roster) -> None:
        self._secret = secret
        self._roster = roster

    def find_person(self, issuer: str, account: str, language: str = "") -> Person:
        """The person behind an account, as the roster knows them; in no course if it doesn't."""
        return Person(make_pseudonym(self._secret, issuer, account), self._roster.get(account, {}), language)

    def sign_in(self, request: HTTPConnection, person: Person) -> None:
        """Let the cookie say from now on that this is the person; nothing of an earlier one stays."""
        request.session.clear()
        places = {course: [place.role, place.student] for course, place in person.places.items()}
        request.session[KEY] = {"id": person.id, "places": places, "language": person.language}


def read_person(session: Mapping[str, Any]) -> Person | None:
    """Who is signed in by this session."""
    kept = session.get(KEY)
    if not kept:
        return None
    places = {course: Place(role, student) for course, (role, student) in kept["places"].items()}
    return Person(kept["id"], places, kept["language"])
