"""llama-server: our agent over its `/completion`, as many questions at once as it has slots.

It gets prompts as token ids, keeps what a slot has read (`cache_prompt`) and, as it comes, idle slots in its RAM cache;
it batches what its slots write. It has no grammar here: ours is llguidance's, which it is not built with. README.md of
eval/bench says how to build it from the source of the llama-cpp-python that is installed, which has the same llama.cpp.
"""

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.decoding.generation import measure_room
from scribe.decoding.turn import ENDS
from scribe.gguf.file import GgufFile, has_amx
from scribe.messages import Message
from scribe.plumbing.errors import BackendError

STARTS = 300.0
"""Seconds in which it must have loaded its model."""


class LlamaServer:
    """A running llama-server as a backend, for any thread."""

    def __init__(self, address: str, path: Path, context: int) -> None:
        self._client = httpx.Client(base_url=address, timeout=None, limits=httpx.Limits(max_connections=None))
        self.chat = GgufFile(path).chat()
        self._context = context
        self.info: Mapping[str, str] = {"backend": "llama-server", "name": path.name}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        ids = self.chat.prompt_ids(prompt)
        longest = min(sampling.max_tokens, measure_room(len(ids), self._context))
        drawn = {"temperature": sampling.temperature, "top_p": sampling.top_p, "seed": sampling.seed}
        sent = {"prompt": ids, "n_predict": longest, "stop": ENDS, **drawn, "top_k": 0, "min_p": 0}
        response = self._client.post("/completion", json={**sent, "cache_prompt": True, "return_tokens": True})
        if response.status_code != httpx.codes.OK:
            raise BackendError(f"llama-server answered {response.status_code}: {response.text[:300]}")
        said: dict[str, Any] = response.json()
        finish: Finish = "length" if said["stop_type"] == "limit" else "stop"
        text, wrote = said["content"] + said["stopping_word"], tuple(said["tokens"])
        cached = len(ids) - int(said["timings"]["prompt_n"])
        return Completion(text, finish, len(ids), cached, len(wrote), token_ids=wrote)


@contextmanager
def start_llama_server(server: Path, model: Path, context: int, slots: int, threads: int) -> Iterator[tuple[str, int]]:
    """Address and process id of a server with this model. Raises BackendError if it does not start."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(server), "-m", str(model), "-c", str(slots * context), "-np", str(slots), "--no-kv-unified"]
    command += ["-t", str(threads), "-tb", str(threads), "--host", "127.0.0.1", "--port", str(port), "--no-ui"]
    command += ["--no-repack"] if has_amx() else []
    address = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryFile() as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            _wait_until_ready(process, address)
            yield address, process.pid
        except BackendError as error:
            log.seek(max(0, log.tell() - 500), os.SEEK_SET)
            raise BackendError(f"{error}; it said last: {log.read().decode('utf-8', 'replace')}") from error
        finally:
            process.kill()


def _wait_until_ready(process: subprocess.Popen[bytes], address: str) -> None:
    until = time.monotonic() + STARTS
    while process.poll() is None and time.monotonic() < until:
        try:
            if httpx.get(f"{address}/health").status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise BackendError("llama-server did not start")
