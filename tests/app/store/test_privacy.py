import json
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, select

from app.store.audit import AuditLog
from app.store.consent import ConsentStore
from app.store.conversations import ConversationStore
from app.store.database import Database
from app.store.lessons import StoredLesson, list_lessons
from app.store.limits import DAY, QuestionLimits
from app.store.privacy import PrivacyDesk
from app.store.schema import StoredRow
from app.store.settings import LimitSettings, StorageSettings
from tests.app.store.conftest import Clock
from tests.app.store.test_conversations import make_record


def read_stored(database: Database) -> bytes:
    """All bytes of SQLite's files; of PostgreSQL, whose files keep freed bytes until it cleans up, all rows."""
    url = make_url(database.name)
    if url.get_backend_name() == "sqlite":
        return b"".join(path.read_bytes() for path in Path(str(url.database)).parent.iterdir())
    with create_engine(url).connect() as connection:
        rows = [row for table in StoredRow.metadata.sorted_tables for row in connection.execute(select(table))]
    return repr(rows).encode()


@pytest.fixture
def filled(database: Database, clock: Clock) -> Database:
    """Ada and Bob have each asked, rated and agreed."""
    store = ConversationStore(database, clock)
    for person in ("ada", "bob"):
        begun = store.begin(person, "dsp", "s033", "nr")
        store.add(person, begun, make_record(f"{person}-1", f"secret of {person}"), 0.2)
        store.rate(person, f"{person}-1", thumb=1, comment=f"comment of {person}")
        StoredLesson(database, person, "loan-desk", "en", clock).write_code(f"code of {person}")
        ConsentStore(database, clock).give(person, "1", "en")
        with QuestionLimits(database, LimitSettings(), clock).question(person):
            pass
    return database


def test_an_export_holds_everything_of_the_person_and_nothing_of_another(filled: Database, clock: Clock) -> None:
    told = json.dumps(PrivacyDesk(filled, clock).export("ada"))
    assert all(each in told for each in ("secret of ada", "comment of ada", "code of ada", '"version": "1"'))
    assert "bob" not in told


def test_after_erasing_no_stored_byte_is_left_of_the_person(filled: Database, clock: Clock) -> None:
    AuditLog(filled, clock).note("staff", "read transcript", "ada")
    PrivacyDesk(filled, clock).erase("ada")
    stored = read_stored(filled)
    assert b"ada" not in stored
    assert b"secret of bob" in stored


def test_deleted_conversations_are_gone_with_their_ratings_and_consent_stays(filled: Database, clock: Clock) -> None:
    assert PrivacyDesk(filled, clock).delete_conversations("ada") == 1
    assert ConversationStore(filled).all_of("ada") == []
    assert len(ConversationStore(filled).all_of("bob")) == 1
    assert ConsentStore(filled).holds("ada", "1")
    assert b"comment of ada" not in read_stored(filled)
    assert b"code of ada" not in read_stored(filled)
    assert b"comment of bob" in read_stored(filled)


def test_what_is_older_than_it_may_be_is_purged(filled: Database, clock: Clock) -> None:
    desk, store = PrivacyDesk(filled, clock), ConversationStore(filled, clock)
    AuditLog(filled, clock).note("staff", "look", "bob")
    clock.now += 10 * DAY
    store.add("bob", store.all_of("bob")[0].id, make_record("bob-2"), 0.1)
    StoredLesson(filled, "bob", "loan-desk", "en", clock).write_code("more code")
    clock.now += 10 * DAY
    assert desk.purge(StorageSettings(days=15, audit_days=19)) == 1
    assert store.all_of("ada") == []
    assert len(store.all_of("bob")) == 1
    assert [list_lessons(filled, person, "en") for person in ("ada", "bob")] == [frozenset(), {"loan-desk"}]
    assert AuditLog(filled, clock).entries() == []


def test_what_was_kept_while_the_clock_was_ahead_is_kept_no_longer_than_other_things(
    filled: Database, clock: Clock
) -> None:
    desk, store = PrivacyDesk(filled, clock), ConversationStore(filled, clock)
    clock.now += 1000 * DAY
    store.add("bob", store.all_of("bob")[0].id, make_record("bob-2"), 0.1)
    AuditLog(filled, clock).note("staff", "look", "bob")
    clock.now -= 1000 * DAY
    settings = StorageSettings(days=15, audit_days=15)
    assert desk.purge(settings) == 0
    clock.now += 16 * DAY
    assert desk.purge(settings) == 2
    assert AuditLog(filled, clock).entries() == []


def test_no_days_means_kept_for_good(filled: Database, clock: Clock) -> None:
    clock.now += 10_000 * DAY
    assert PrivacyDesk(filled, clock).purge(StorageSettings(days=0, audit_days=0)) == 0
    assert len(ConversationStore(filled).all_of("ada")) == 1


def test_a_withdrawn_consent_no_longer_holds(filled: Database, clock: Clock) -> None:
    consents = ConsentStore(filled, clock)
    assert not consents.holds("ada", "2")
    consents.withdraw("ada")
    assert not consents.holds("ada", "1")
    assert consents.holds("bob", "1")
