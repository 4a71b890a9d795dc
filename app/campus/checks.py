"""What `scribe doctor` looks at where people sign in: secrets, roster, database, consent, address."""

import stat
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from app.accounts.roster import read_roster
from app.accounts.settings import read_secret
from app.campus.checkup import Checkup
from app.campus.settings import CampusSettings
from app.campus.texts import HERE, read_consent
from app.store.database import open_database
from scribe.plumbing.errors import ScribeError

Found = TypeVar("Found")
SECRET = "openssl rand -hex 32 > FILE; chmod 600 FILE"


def check_campus(settings: CampusSettings, students: Mapping[str, Collection[str]]) -> Iterator[Checkup]:
    """Each of the campus's settings; nothing where nobody signs in. students: the ids of each course."""
    accounts = settings.accounts
    if not accounts.sign_in:
        yield Checkup("note", "nobody can sign in: only `scribe chat --demo` works", "app/campus/GUIDE.md, step 3")
        return
    yield Checkup("ok", f"sign-in: {', '.join(accounts.sign_in)}")
    yield check_secret(accounts.secret, "[accounts] secret")
    if "header" in accounts.sign_in:
        yield check_secret(settings.header.secret, "[header] secret")
    if settings.site.metrics:
        yield check_secret(settings.site.metrics, "[site] metrics")
    yield check_roster(Path(accounts.roster), students)
    yield check_database(settings.storage.address)
    yield check_consent(settings.privacy.consent)
    yield check_address(settings)


def check_secret(path: str, what: str) -> Checkup:
    """A secret's file: long enough, and nobody else's to read."""
    try:
        read_secret(path, what)
    except ScribeError as error:
        return Checkup("missing", str(error), SECRET)
    mode = stat.S_IMODE(Path(path).stat().st_mode)
    if mode & 0o077:
        return Checkup("missing", f"{what}: {path} may be read by others (mode {mode:o})", f"chmod 600 {path}")
    return Checkup("ok", f"{what}: {path}, long enough, mode {mode:o}")


def check_roster(path: Path, students: Mapping[str, Collection[str]]) -> Checkup:
    """The roster, held against the courses; which of its courses' students no account leads to."""
    found = _try(lambda: read_roster(path, students), "one line for each account and course: see app/campus/GUIDE.md")
    if isinstance(found, Checkup):
        return found
    places = [(course, place.student) for each in found.values() for course, place in each.items()]
    counts = ", ".join(f"{id} {sum(course == id for course, _ in places)}" for id in students)
    return Checkup("ok" if places else "note", f"roster: {len(found)} accounts in {path} ({counts})")


def check_database(address: str) -> Checkup:
    """The database, brought up to date and written to, for nothing."""

    def write() -> str:
        database = open_database(address)
        try:
            with database.transaction() as session:
                session.connection()  # of SQLite, this takes the lock for writing
            return database.name
        finally:
            database.close()

    found = _try(write, "[storage] address: a folder that Scribe's user may write to, or a PostgreSQL that is up")
    return found if isinstance(found, Checkup) else Checkup("ok", f"database: {found}, up to date, can be written")


def check_consent(path: str) -> Checkup:
    """The text that people agree to."""
    found = _try(lambda: read_consent(Path(path) if path else HERE / "consent.toml"), "app/campus/consent.toml is one")
    if isinstance(found, Checkup):
        return found
    if path:
        return Checkup("ok", f"consent: version {found.version} in {path}")
    remedy = "let your data protection officer read app/campus/consent.toml; [privacy] consent names another text"
    return Checkup("note", f"consent: version {found.version}, as it comes with Scribe", remedy)


def check_address(settings: CampusSettings) -> Checkup:
    """The name under which the page is found, and whether its cookie keeps to HTTPS."""
    hosts = settings.site.hosts
    if not hosts:
        remedy = 'hosts = ["scribe.your-campus.example"]'
        return Checkup("missing", "[site] hosts names no host, so all but this machine are refused", remedy)
    if not settings.accounts.https:
        remedy = "https = true, but for a try on one machine"
        return Checkup("note", "[accounts] https = false: the cookie goes over plain HTTP", remedy)
    return Checkup("ok", f"address: https://{', https://'.join(hosts)}")


def _try(look: Callable[[], Found], remedy: str) -> Found | Checkup:
    """What looking gives, or what its failure says."""
    try:
        return look()
    except ScribeError as error:
        return Checkup("missing", str(error), remedy)
