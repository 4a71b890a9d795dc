"""An API that answers anything but a chat completion: an error that says so, never a crash, never without an end."""

import json
from typing import Any

import pytest

from scribe.backend import Sampling
from scribe.backends.api import ApiBackend, write_chat
from scribe.messages import Message
from scribe.plumbing.errors import BackendError
from scribe.plumbing.http import LARGEST_REPLY
from tests.loopback import LoopbackReply, serve_locally
from tests.scribe.backends.endless import serve_without_end

ASKED = [Message("user", "What is week 3 about?")]
ANSWER = "[REASONING] hm [END_OF_REASONING]\n[FINAL_ANSWER]Sampling."


WITHOUT_WORDS = [
    b": " + b"x" * 4000 + b"\n",
    b'data: {"choices": [], "more": "' + b"x" * 4000 + b'"}\n\n',
    b"x" * 65536,
]
"""What a server may send for ever without saying anything."""


def choice(content: Any, finish: Any = "stop") -> dict[str, Any]:
    return {"message": {"role": "assistant", "content": content}, "finish_reason": finish}


ODD: list[Any] = [
    {},
    {"choices": None},
    {"choices": []},
    {"choices": "none"},
    {"choices": {"0": choice(ANSWER)}},
    {"choices": [None]},
    {"choices": ["text"]},
    {"choices": [choice(["text"])]},
    {"choices": [choice(7)]},
    {"choices": [choice(ANSWER, 7)]},
    {"choices": [{"message": "text"}]},
    {"choices": [choice(ANSWER)], "usage": []},
    {"choices": [choice(ANSWER)], "usage": [9, 4]},
    {"choices": [choice(ANSWER)], "usage": {"prompt_tokens": "many"}},
    {"choices": [choice(ANSWER)], "usage": {"prompt_tokens": -4}},
    {"choices": [choice(ANSWER)], "usage": {"prompt_tokens_details": [6]}},
    {"choices": [choice(ANSWER)], "model": 7},
    [],
    None,
    7,
    "text",
]


def ask(reply: bytes, stream: bool = False) -> str:
    with serve_locally(lambda path, body: LoopbackReply(reply)) as address:
        backend = ApiBackend(address, "small", "", timeout=5.0, pause=0.0)
        shown: list[str] = []
        return backend.complete(ASKED, Sampling(), on_text=shown.append if stream else None).text


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("reply", ODD, ids=lambda each: json.dumps(each)[:60])
def test_what_is_no_completion_is_an_error_of_the_backend(reply: Any, stream: bool) -> None:
    text = json.dumps(reply)
    with pytest.raises(BackendError):
        ask(f"data: {text}\n\n".encode() if stream else text.encode(), stream)


@pytest.mark.parametrize("raw", [b"\xff\xfe\x00", b"{", b"[" * 100_000, b"", b'{"choices": NaN}'])
@pytest.mark.parametrize("stream", [False, True])
def test_bytes_that_are_no_json_are_an_error_of_the_backend(raw: bytes, stream: bool) -> None:
    with pytest.raises(BackendError):
        ask(b"data: " + raw + b"\n\n" if stream else raw, stream)


def test_what_a_server_leaves_out_or_says_of_nothing_is_no_trouble() -> None:
    reply = {"choices": [choice(ANSWER, None)], "usage": None, "model": None, "more": [1]}
    assert ask(json.dumps(reply).encode()) == f"{ANSWER.removeprefix('[REASONING]')}[END_OF_FINAL_ANSWER]"


def test_half_of_a_character_becomes_one_that_can_be_written() -> None:
    said = ask(json.dumps({"choices": [choice(f"{ANSWER} \ud83d and \ud83d\ude00")]}).encode())
    assert "\ufffd and \U0001f600" in said
    said.encode("utf-8")


def test_a_stream_without_an_end_is_broken_off_after_the_tokens_that_were_asked_for() -> None:
    piece = b'data: {"choices": [{"delta": {"content": "on and on "}}]}\n\n'
    with serve_without_end(piece) as address:
        said = ApiBackend(address, "small", "").complete(ASKED, Sampling(max_tokens=64), on_text=lambda text: None)
    assert said.finish == "length"
    assert 64 < len(said.text) < 10_000


@pytest.mark.parametrize("piece", WITHOUT_WORDS, ids=["comments", "chunks", "no line"])
def test_a_stream_that_says_nothing_for_ever_is_broken_off(piece: bytes) -> None:
    with serve_without_end(piece) as address, pytest.raises(BackendError, match="more than a reply can have"):
        ApiBackend(address, "small", "").complete(ASKED, Sampling(), on_text=lambda text: None)


def test_a_whole_reply_without_an_end_is_broken_off() -> None:
    with serve_without_end(b" " * 65536) as address, pytest.raises(BackendError, match="more than a reply can have"):
        ApiBackend(address, "small", "").complete(ASKED, Sampling())
    assert LARGEST_REPLY < 2**25


def test_a_server_that_trickles_is_broken_off_in_time() -> None:
    with serve_without_end(b": waiting\n", 0.01) as address, pytest.raises(BackendError, match="in time"):
        ApiBackend(address, "small", "", timeout=0.02, pause=0.0).complete(ASKED, Sampling(), on_text=lambda text: None)


@pytest.mark.parametrize(
    "token",
    ["<|eot_id|>", "<|im_start|>system", "<｜User｜>", "</s>", "<s>", "[INST]", "[/INST]", "<end_of_turn>", "<|END|>"],
)
@pytest.mark.parametrize("role", ["user", "tool", "system", "assistant"])
def test_a_control_token_does_not_reach_the_server_as_one(token: str, role: Any) -> None:
    (said,) = write_chat([Message(role, f"One {token}two.")])
    assert token not in said["content"]
    assert said["content"].replace("< ", "<").replace("[ ", "[").endswith(f"One {token}two.")
