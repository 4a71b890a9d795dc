"""A judge behind an address that is slow, failing, rate-limiting, garbled or of two minds."""

import json
from collections.abc import Callable

import pytest

from eval.judge.asking import JudgeEndpoint, JudgeSampling
from eval.judge.judgement import digest_answer
from scribe.plumbing.errors import BackendError, TransientError, UsageError
from tests.eval.judge.answered import asking, items, judged, record
from tests.eval.judge.scripted_judge import MODEL, ScriptedReply, decide, make_completion, serve_judge

YES = decide("YES")


def saying(*replies: ScriptedReply) -> Callable[[object, int], ScriptedReply]:
    """These replies, the last one for ever."""
    return lambda body, number: replies[min(number, len(replies) - 1)]


def test_a_judgement_says_what_was_asked_and_what_answered() -> None:
    with serve_judge(saying(YES)) as judge:
        made = judged(asking(judge.url), record())
    assert (made.answer, made.run, made.criterion, made.repeat) == ("q1", "run", "relevance", 0)
    assert (made.judge, made.endpoint_model, made.verdict) == ("some-judge", MODEL, "yes")
    assert made.reasoning == "I went through the steps."
    assert made.of == digest_answer(record())
    assert (made.prompt_tokens, made.completion_tokens) == (100, 20)


def test_the_judge_reads_everything_and_never_who_asked() -> None:
    with serve_judge(saying(YES)) as judge:
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
        ScriptedReply("busy", status=503),
        ScriptedReply("slow down", status=429, headers={"Retry-After": "0.01"}),
        ScriptedReply(raw=b"<html>proxy</html>"),
        ScriptedReply(raw=b'{"choices": []}'),
        ScriptedReply(raw=b"[1, 2"),
        ScriptedReply(raw=b"[" * 100_000),
        ScriptedReply("zipped", headers={"Content-Encoding": "gzip"}),
    ],
)
def test_trouble_that_passes_is_waited_for(trouble: ScriptedReply) -> None:
    with serve_judge(saying(trouble, trouble, YES)) as judge:
        assert judged(asking(judge.url), record()).verdict == "yes"
    assert len(judge.asked) == 3


def test_trouble_that_stays_is_an_error_and_no_verdict() -> None:
    with serve_judge(saying(ScriptedReply("busy", status=503))) as judge, pytest.raises(TransientError):
        judged(asking(judge.url, retries=3), record())
    assert len(judge.asked) == 4


def test_a_refused_key_is_said_at_once() -> None:
    with (
        serve_judge(saying(ScriptedReply("who?", status=401))) as judge,
        pytest.raises(BackendError, match="SCRIBE_API_KEY"),
    ):
        judged(asking(judge.url), record())
    assert len(judge.asked) == 1


def test_nobody_there_is_said_in_words() -> None:
    with serve_judge(saying(YES)) as judge:
        url = judge.url
    with pytest.raises(TransientError, match="is the server running"):
        judged(asking(url, retries=0), record())


def test_an_unreadable_verdict_is_asked_for_again_with_another_seed() -> None:
    with serve_judge(saying(ScriptedReply("Hm."), decide("NO"))) as judge:
        made = judged(asking(judge.url), record())
    assert made.verdict == "no"
    assert made.completion_tokens == 40  # of both
    assert len({body["seed"] for body in judge.asked}) == 2


def test_a_verdict_that_stays_unreadable_is_unparsed() -> None:
    with serve_judge(saying(ScriptedReply("Hm."))) as judge:
        made = judged(asking(judge.url), record())
    assert made.verdict == "unparsed"
    assert made.value is None
    assert "does not end" in made.reasoning
    assert len(judge.asked) == 3


def test_a_judge_of_two_minds_is_asked_again() -> None:
    both = ScriptedReply("Good.\nFINAL DECISION: YES\nOr not.\nFINAL DECISION: NO")
    with serve_judge(saying(both, both, YES)) as judge:
        assert judged(asking(judge.url), record()).verdict == "yes"


def test_a_reply_that_was_cut_off_gets_more_room() -> None:
    with serve_judge(saying(ScriptedReply("At first", finish="length"), YES)) as judge:
        judged(asking(judge.url, sampling=JudgeSampling(max_tokens=100)), record())
    assert [body["max_tokens"] for body in judge.asked] == [100, 200]


def test_repeats_are_requests_of_their_own() -> None:
    with serve_judge(saying(YES)) as judge:
        asks = asking(judge.url)
        for item in items([record()], asks.endpoint, repeats=5):
            asks.judge(item, lambda: False)
    assert len({body["seed"] for body in judge.asked}) == 5


def test_a_run_that_was_stopped_asks_nothing() -> None:
    with serve_judge(saying(YES)) as judge:
        asks = asking(judge.url)
        assert asks.judge(items([record()], asks.endpoint)[0], lambda: True) is None
    assert judge.asked == []


def test_fields_that_an_endpoint_refuses_are_left_out() -> None:
    body = JudgeEndpoint("http://127.0.0.1:1", "m", JudgeSampling(leave_out=("seed", "max_tokens"))).make_body([], 0)
    assert set(body) == {"model", "messages", "temperature", "max_completion_tokens"}


def test_a_reply_in_parts_is_one_text() -> None:
    content = make_completion("")
    content["choices"][0]["message"]["content"] = [{"type": "text", "text": "So.\n"}, {"text": "FINAL DECISION: NO"}]
    with serve_judge(saying(ScriptedReply(raw=json.dumps(content).encode()))) as judge:
        assert judged(asking(judge.url), record()).verdict == "no"


def test_half_a_character_in_a_reply_can_be_kept() -> None:
    said = make_completion("Good \ud83d\nFINAL DECISION: YES") | {"model": "m\udc00"}
    with serve_judge(saying(ScriptedReply(raw=json.dumps(said).encode()))) as judge:
        made = judged(asking(judge.url), record())
    assert (made.verdict, made.reasoning, made.endpoint_model) == ("yes", "Good ?", "m?")


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "localhost:8000/v1", "ftp://host", "http://", "http://a b:x"])
def test_what_is_no_address_is_said_so(url: str) -> None:
    with pytest.raises(UsageError, match="is no address"):
        JudgeEndpoint(url, "m")


def test_a_temperature_that_is_not_sent_is_another_one() -> None:
    unsaid = JudgeEndpoint("http://127.0.0.1:1", "m", JudgeSampling(leave_out=("temperature",)))
    assert unsaid.identity != JudgeEndpoint("http://127.0.0.1:1", "m").identity


def test_a_field_that_no_request_has_cannot_be_left_out() -> None:
    with pytest.raises(UsageError, match="no field 'zz' to leave out; it has seed, temperature, max_tokens"):
        JudgeEndpoint("http://127.0.0.1:1", "m", JudgeSampling(leave_out=("seed", "zz")))
