"""A judge behind an address that is slow, failing, rate-limiting, garbled or of two minds."""

import json
from collections.abc import Callable

import pytest

from eval.judge.digest import digest
from eval.judge.endpoint import Endpoint, Sampling, is_near
from eval.judge.scripted_judge import MODEL, Said, completion, decided, judging
from scribe.errors import BackendError, TransientError, UsageError
from tests.eval.judge.answered import asking, items, judged, record

YES = decided("YES")


def saying(*replies: Said) -> Callable[[object, int], Said]:
    """These replies, the last one for ever."""
    return lambda body, number: replies[min(number, len(replies) - 1)]


def test_a_judgement_says_what_was_asked_and_what_answered() -> None:
    with judging(saying(YES)) as judge:
        made = judged(asking(judge.url), record())
    assert (made.answer, made.run, made.criterion, made.repeat) == ("q1", "run", "relevance", 0)
    assert (made.judge, made.endpoint_model, made.verdict) == ("some-judge", MODEL, "yes")
    assert made.reasoning == "I went through the steps."
    assert made.of == digest(record())
    assert (made.prompt_tokens, made.completion_tokens) == (100, 20)


def test_the_judge_reads_everything_and_never_who_asked() -> None:
    with judging(saying(YES)) as judge:
        judged(asking(judge.url), record())
    text = "\n".join(message["content"] for message in judge.asked[0]["messages"])
    for part in (
        "map_week_to_topic",
        "77 percent",
        "What is week 6 about?",
        '"says": "sampling"',
        "Start with the first",
    ):
        assert part in text
    assert text.rstrip().endswith("FINAL DECISION: YES\nor\nFINAL DECISION: NO")
    assert "s030" not in text


@pytest.mark.parametrize(
    "trouble",
    [
        Said("busy", status=503),
        Said("slow down", status=429, headers={"Retry-After": "0.01"}),
        Said(raw=b"<html>proxy</html>"),
        Said(raw=b'{"choices": []}'),
        Said(raw=b"[1, 2"),
        Said(raw=b"[" * 100_000),
        Said("zipped", headers={"Content-Encoding": "gzip"}),
    ],
)
def test_trouble_that_passes_is_waited_for(trouble: Said) -> None:
    with judging(saying(trouble, trouble, YES)) as judge:
        assert judged(asking(judge.url), record()).verdict == "yes"
    assert len(judge.asked) == 3


def test_trouble_that_stays_is_an_error_and_no_verdict() -> None:
    with judging(saying(Said("busy", status=503))) as judge, pytest.raises(TransientError):
        judged(asking(judge.url, tries=4), record())
    assert len(judge.asked) == 4


def test_a_refused_key_is_said_at_once() -> None:
    with judging(saying(Said("who?", status=401))) as judge, pytest.raises(BackendError, match="SCRIBE_API_KEY"):
        judged(asking(judge.url), record())
    assert len(judge.asked) == 1


def test_nobody_there_is_said_in_words() -> None:
    with judging(saying(YES)) as judge:
        url = judge.url
    with pytest.raises(TransientError, match="is it running"):
        judged(asking(url, tries=1), record())


def test_an_unreadable_verdict_is_asked_for_again_with_another_seed() -> None:
    with judging(saying(Said("Hm."), decided("NO"))) as judge:
        made = judged(asking(judge.url), record())
    assert made.verdict == "no"
    assert made.completion_tokens == 40  # of both
    assert len({body["seed"] for body in judge.asked}) == 2


def test_a_verdict_that_stays_unreadable_is_unparsed() -> None:
    with judging(saying(Said("Hm."))) as judge:
        made = judged(asking(judge.url), record())
    assert made.verdict == "unparsed"
    assert made.value is None
    assert "does not end" in made.reasoning
    assert len(judge.asked) == 3


def test_a_judge_of_two_minds_is_asked_again() -> None:
    both = Said("Good.\nFINAL DECISION: YES\nOr not.\nFINAL DECISION: NO")
    with judging(saying(both, both, YES)) as judge:
        assert judged(asking(judge.url), record()).verdict == "yes"


def test_a_reply_that_was_cut_off_gets_more_room() -> None:
    with judging(saying(Said("At first", finish="length"), YES)) as judge:
        judged(asking(judge.url, sampling=Sampling(max_tokens=100)), record())
    assert [body["max_tokens"] for body in judge.asked] == [100, 200]


def test_repeats_are_requests_of_their_own() -> None:
    with judging(saying(YES)) as judge:
        asks = asking(judge.url)
        for item in items([record()], asks.endpoint, repeats=5):
            asks.judge(item, lambda: False)
    assert len({body["seed"] for body in judge.asked}) == 5


def test_a_run_that_was_stopped_asks_nothing() -> None:
    with judging(saying(YES)) as judge:
        asks = asking(judge.url)
        assert asks.judge(items([record()], asks.endpoint)[0], lambda: True) is None
    assert judge.asked == []


def test_fields_that_an_endpoint_refuses_are_left_out() -> None:
    body = Endpoint("http://127.0.0.1:1", "m", Sampling(leave_out=("seed", "max_tokens"))).body([], 0)
    assert set(body) == {"model", "messages", "temperature", "max_completion_tokens"}


def test_a_reply_in_parts_is_one_text() -> None:
    content = completion("")
    content["choices"][0]["message"]["content"] = [{"type": "text", "text": "So.\n"}, {"text": "FINAL DECISION: NO"}]
    with judging(saying(Said(raw=json.dumps(content).encode()))) as judge:
        assert judged(asking(judge.url), record()).verdict == "no"


def test_half_a_character_in_a_reply_can_be_kept() -> None:
    said = completion("Good \ud83d\nFINAL DECISION: YES") | {"model": "m\udc00"}
    with judging(saying(Said(raw=json.dumps(said).encode()))) as judge:
        made = judged(asking(judge.url), record())
    assert (made.verdict, made.reasoning, made.endpoint_model) == ("yes", "Good ?", "m?")


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "localhost:8000/v1", "ftp://host", "http://", "http://a b:x"])
def test_what_is_no_address_is_said_so(url: str) -> None:
    with pytest.raises(UsageError, match="is no address"):
        Endpoint(url, "m")


def test_a_temperature_that_is_not_sent_is_another_one() -> None:
    unsaid = Endpoint("http://127.0.0.1:1", "m", Sampling(leave_out=("temperature",)))
    assert unsaid.identity != Endpoint("http://127.0.0.1:1", "m").identity


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://127.0.0.1:8000/v1", True),
        ("http://localhost:8000", True),
        ("http://10.1.2.3/v1", True),
        ("http://[::1]:80", True),
        ("https://api.openai.com/v1", False),
        ("http://8.8.8.8/v1", False),
        ("http://[::ffff:8.8.8.8]/v1", False),
        ("http://localhost.evil.example/v1", False),
    ],
)
def test_what_is_outside_this_network_is_known(url: str, near: bool) -> None:
    assert is_near(url) is near
