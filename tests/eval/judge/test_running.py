"""A run over many items: what is kept is not asked again, what failed is missing, and a run can be broken off."""

import threading
from collections import Counter
from pathlib import Path

import pytest

from eval.judge.asking import JudgeEndpoint, JudgeSampling
from eval.judge.items import JudgeItem
from eval.judge.running import JudgeOutcome, collect_judgements, find_open, judge_items
from eval.judge.store import Store
from tests.eval.judge.answered import asking, items, record
from tests.eval.judge.scripted_judge import Body, ScriptedJudge, ScriptedReply, decide, serve_judge

THREE = [record(f"Answer {word}.", id=word) for word in ("one", "two", "three")]
CRITERIA = ("relevance", "language")


def yes(body: Body, number: int) -> ScriptedReply:
    return decide("YES")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache" / "judgements.sqlite")


def judge(
    wanted: list[JudgeItem], store: Store, server: ScriptedJudge, max_errors: int = 5, again: bool = False
) -> JudgeOutcome:
    asks = asking(server.url, retries=0)
    return judge_items(wanted, store, asks.judge, 3, max_errors, lambda: False, lambda tally: None, again)


def wanted(server: ScriptedJudge, repeats: int = 1, sampling: JudgeSampling | None = None) -> list[JudgeItem]:
    return items(THREE, JudgeEndpoint(server.url, "some-judge", sampling or JudgeSampling()), CRITERIA, repeats)


def test_every_answer_is_judged_by_every_criterion_as_often_as_wanted(store: Store) -> None:
    with serve_judge(yes) as server:
        outcome = judge(wanted(server, repeats=5), store, server)
    assert outcome.state == "finished"
    assert len(server.asked) == len(outcome.judgements) == 3 * 2 * 5
    keys = [(each.answer, each.criterion, each.repeat) for each in outcome.judgements]
    assert len(set(keys)) == 30
    assert keys[:6] == [("one", "relevance", n) for n in range(5)] + [("one", "language", 0)]  # in the input's order
    assert len({each.fingerprint for each in outcome.judgements}) == 30


def test_what_is_kept_is_not_asked_again_and_more_repeats_ask_only_for_more(store: Store) -> None:
    with serve_judge(yes) as server:
        first = judge(wanted(server, repeats=2), store, server)
        again = judge(wanted(server, repeats=2), store, server)
        assert len(server.asked) == 12
        assert again.judgements == first.judgements
        assert (again.tally.cached, again.tally.asked) == (12, 0)
        judge(wanted(server, repeats=3), store, server)
    assert len(server.asked) == 18


def test_a_kept_judgement_says_of_which_text_it_was_asked_for(store: Store) -> None:
    with serve_judge(yes) as server:
        one, other = (
            items([each], JudgeEndpoint(server.url, "some-judge"))
            for each in (record("So it is."), record("So it is. "))
        )
        first, again = judge(one, store, server), judge(other, store, server)
    assert len(server.asked) == 1  # a judge is shown no blanks at the end, and has nothing else to say
    assert [each.of for each in (*first.judgements, *again.judgements)] == [one[0].of, other[0].of]
    assert one[0].of != other[0].of


def test_another_judge_temperature_answer_or_criterion_is_asked_anew(store: Store) -> None:
    with serve_judge(yes) as server:
        judge(wanted(server), store, server)
        for changed in (
            items(THREE, JudgeEndpoint(server.url, "other-judge"), CRITERIA),
            wanted(server, sampling=JudgeSampling(temperature=1.0)),
            items([record("Another."), *THREE[1:]], JudgeEndpoint(server.url, "some-judge"), CRITERIA)[:2],
        ):
            assert find_open(changed, store) == changed
        roomier = wanted(server, sampling=JudgeSampling(max_tokens=99))  # the room does not change what is decided
        assert find_open(roomier, store) == []


def test_the_same_answer_under_another_name_is_judged_once_and_stands_under_both(store: Store) -> None:
    twins = [record("The same.", id="a"), record("The same.", id="b")]
    with serve_judge(yes) as server:
        outcome = judge(items(twins, JudgeEndpoint(server.url, "some-judge")), store, server)
    assert len(server.asked) == 1
    assert [each.answer for each in outcome.judgements] == ["a", "b"]
    assert outcome.tally.left == 0


def test_what_failed_is_missing_and_the_same_run_again_asks_only_for_it(store: Store) -> None:
    def failing_once(body: Body, number: int) -> ScriptedReply:
        return ScriptedReply("busy", status=503) if number == 0 else decide("NO")

    with serve_judge(failing_once) as server:
        first = judge(wanted(server), store, server)
        assert (first.state, first.tally.failed, first.tally.left) == ("finished", 1, 1)
        assert len(first.judgements) == 5
        assert "HTTP 503" in first.tally.trouble
        second = judge(wanted(server), store, server)
    assert len(server.asked) == 7
    assert second.tally.verdicts == Counter(no=6)


def test_too_many_failures_stop_a_run(store: Store) -> None:
    with serve_judge(lambda body, number: ScriptedReply("busy", status=503)) as server:
        outcome = judge(wanted(server, repeats=10), store, server, max_errors=2)
    assert outcome.state == "stopped"
    assert len(server.asked) < 60


def test_a_refused_key_stops_a_run_at_once(store: Store) -> None:
    with serve_judge(lambda body, number: ScriptedReply("who?", status=401)) as server:
        outcome = judge(wanted(server, repeats=10), store, server, max_errors=1000)
    assert outcome.state == "stopped"
    assert "SCRIBE_API_KEY" in outcome.tally.trouble
    assert len(server.asked) < 60


def test_an_answer_that_an_endpoint_does_not_take_keeps_no_other_from_being_judged(store: Store) -> None:
    def filtering(body: Body, number: int) -> ScriptedReply:
        return ScriptedReply("content_filter", status=400) if "Answer one" in str(body["messages"]) else decide("YES")

    with serve_judge(filtering) as server:
        outcome = judge(wanted(server), store, server)
    assert (outcome.state, outcome.tally.failed) == ("finished", 2)
    assert {each.answer for each in outcome.judgements} == {"two", "three"}


def test_an_unparsed_verdict_is_kept_as_missing_and_asked_again_only_on_request(store: Store) -> None:
    replies = [ScriptedReply("Hm.")]
    with serve_judge(lambda body, number: replies[0]) as server:
        first = judge(wanted(server), store, server)
        assert first.tally.verdicts == Counter(unparsed=6)
        assert len(server.asked) == 18  # three readings each
        assert judge(wanted(server), store, server).tally.asked == 0
        replies[0] = decide("YES")
        assert judge(wanted(server), store, server, again=True).tally.verdicts == Counter(yes=6)
        assert judge(wanted(server), store, server).tally.verdicts == Counter(yes=6)


def test_a_run_that_is_interrupted_keeps_what_it_has(store: Store) -> None:
    stop = threading.Event()

    def interrupting(body: Body, number: int) -> ScriptedReply:
        if number == 4:
            stop.set()
        return decide("YES")

    with serve_judge(interrupting) as server:
        asks = asking(server.url)
        outcome = judge_items(wanted(server, 10), store, asks.judge, 2, 5, stop.is_set, lambda tally: None)
        assert outcome.state == "interrupted"
        assert 0 < len(outcome.judgements) < 60
        assert len(list(collect_judgements(wanted(server, 10), store))) == len(outcome.judgements)


def test_a_fault_of_ours_is_raised_and_not_counted_as_missing(store: Store) -> None:
    def faulty(item: JudgeItem, stopped: object) -> None:
        raise ZeroDivisionError

    with serve_judge(yes) as server, pytest.raises(ZeroDivisionError):
        judge_items(wanted(server), store, faulty, 2, 5, lambda: False, lambda tally: None)
