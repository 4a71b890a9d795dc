"""llama-server as a backend: what it is sent, what its answer means, and how its failure is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from eval.bench.engine.llama_server import LlamaServer, start_llama_server
from scribe.backend import Sampling
from scribe.messages import Message
from scribe.plumbing.errors import BackendError
from tests.loopback import LoopbackReply, serve_locally


def test_a_turn_has_its_end_marker_again_and_what_was_cached_is_not_counted(random_model: Path) -> None:
    sent: list[dict[str, Any]] = []
    ended = {"content": "so [FINAL_ANSWER]Yes.", "stopping_word": "[END_OF_FINAL_ANSWER]", "stop_type": "word"}

    def respond(path: str, body: bytes) -> LoopbackReply:
        sent.append(json.loads(body))
        return LoopbackReply(json.dumps({**ended, "tokens": [5, 6], "timings": {"prompt_n": 4}}).encode())

    prompt = [Message("user", "Why so, and not otherwise?")]
    with serve_locally(respond) as url:
        server = LlamaServer(url.removesuffix("/v1"), random_model, 4096)
        said = server.complete(prompt, Sampling())
    assert (said.text, said.finish) == ("so [FINAL_ANSWER]Yes.[END_OF_FINAL_ANSWER]", "stop")
    assert (said.prompt_tokens - said.cached_tokens, said.completion_tokens) == (4, 2)
    assert sent[0]["prompt"] == list(server.chat.prompt_ids(prompt))
    assert sent[0]["temperature"] == 0


def test_a_refusal_is_reported_with_its_words(random_model: Path) -> None:
    with serve_locally(lambda path, body: LoopbackReply(b"no slot", 503)) as url:
        server = LlamaServer(url.removesuffix("/v1"), random_model, 4096)
        with pytest.raises(BackendError, match="503: no slot"):
            server.complete([Message("user", "Why?")], Sampling())


def test_a_server_that_does_not_start_is_reported(tmp_path: Path) -> None:
    program = tmp_path / "llama-server"
    program.write_text("#!/bin/sh\necho no such model\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    with (
        pytest.raises(BackendError, match="no such model"),
        start_llama_server(program, tmp_path / "model.gguf", 512, 1, 1),
    ):
        pass
