import pytest

from app.store.conversations import ConversationStore
from app.store.database import Database
from scribe.plumbing.errors import UsageError
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Observation, Stop, Task, Usage
from tests.app.store.conftest import Clock


def make_record(id: str, question: str = "why?", answer: str | None = "Because.") -> Record:
    steps = (
        Act("look", (Call("map_week_to_topic", {"week": 5}),), (Observation(False, "no"),)),
        *((Answer("", answer),) if answer else ()),
    )
    stop = Stop.ANSWERED if answer else Stop.UNRESOLVED
    return Record(id, Task("dsp", "s033", question, "report"), steps, stop, answer, Usage(), {})


@pytest.fixture
def store(database: Database, clock: Clock) -> ConversationStore:
    return ConversationStore(database, clock)


def test_a_conversation_comes_back_as_it_was(store: ConversationStore) -> None:
    begun = store.begin("ada", "dsp", "s033", "nr")
    kept = make_record("t1", "pourquoi ?", "Parce que…")
    store.add("ada", begun, kept, 1.5)
    found = store.latest("ada", "dsp", "s033", "nr")
    assert found is not None
    assert [turn.record for turn in found.turns] == [kept]
    assert found.turns[0].exchange is not None


def test_the_conversation_last_gone_on_with_is_the_latest(store: ConversationStore, clock: Clock) -> None:
    first = store.begin("ada", "dsp", "s033", "nr")
    clock.now += 1
    store.begin("ada", "dsp", "s033", "nr")
    clock.now += 1
    store.add("ada", first, make_record("t1"), 0.1)
    found = store.latest("ada", "dsp", "s033", "nr")
    assert found is not None
    assert found.id == first


def test_another_kind_of_report_is_another_conversation(store: ConversationStore) -> None:
    store.begin("ada", "dsp", "s033", "nr")
    assert store.latest("ada", "dsp", "s033", "srl") is None


def test_nobody_reads_writes_rates_or_deletes_anothers(store: ConversationStore) -> None:
    begun = store.begin("ada", "dsp", "s033", "nr")
    store.add("ada", begun, make_record("t1"), 0.1)
    assert store.latest("bob", "dsp", "s033", "nr") is None
    assert store.all_of("bob") == []
    assert not store.delete("bob", begun)
    with pytest.raises(UsageError):
        store.add("bob", begun, make_record("t2"), 0.1)
    with pytest.raises(UsageError):
        store.rate("bob", "t1", thumb=1)
    assert len(store.all_of("ada")[0].turns) == 1


def test_a_turn_of_a_deleted_conversation_is_refused(store: ConversationStore) -> None:
    begun = store.begin("ada", "dsp", "s033", "nr")
    assert store.delete("ada", begun)
    with pytest.raises(UsageError, match="deleted"):
        store.add("ada", begun, make_record("t1"), 0.1)


def test_a_rating_is_changed_in_parts_and_a_thumb_taken_back(store: ConversationStore) -> None:
    begun = store.begin("ada", "dsp", "s033", "nr")
    store.add("ada", begun, make_record("t1", answer=None), 0.1)
    store.rate("ada", "t1", thumb=-1)
    store.rate("ada", "t1", scales={"relevant": 4}, comment="so so")
    assert store.all_of("ada")[0].turns[0].thumb == -1
    store.rate("ada", "t1", thumb=0)
    assert store.all_of("ada")[0].turns[0].thumb is None


def test_a_new_conversation_is_the_latest_though_the_clock_was_put_back(store: ConversationStore, clock: Clock) -> None:
    first = store.begin("ada", "dsp", "s033", "nr")
    clock.now -= 3600
    second = store.begin("ada", "dsp", "s033", "nr")
    found = store.latest("ada", "dsp", "s033", "nr")
    assert found is not None and found.id == second
    store.add("ada", first, make_record("t1"), 0.1)
    found = store.latest("ada", "dsp", "s033", "nr")
    assert found is not None and found.id == first
