"""llama-server: our agent over its `/completion`, as many questions at once as it has slots.

It gets prompts as token ids, keeps what a slot has read (`cache_prompt`) and, as it comes, idle slots in its RAM cache;
it batches what its slots write. It has no grammar here: ours is llguidance's, which it is not built with. How to build
it: README of eval/bench, from the sdist of the llama-cpp-python that is installed, so that it is the same llama.cpp.
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

from eval.bench.reciting import Reciting
from scribe.backend import Completion, Constraint, Finish, OnText, Sampling
from scribe.decoding.generation import measure_room
from scribe.decoding.turn import ENDS
from scribe.errors import BackendError
from scribe.gguf.file import GgufFile, has_amx
from scribe.messages import Message

STARTS = 300.0
"""Seconds in which it must have loaded its model."""


class ServerBackend:
    """A running llama-server as a backend, for any thread. recited: see `reciting`."""

    def __init__(self, address: str, path: Path, context: int, recited: Reciting | None) -> None:
        self._client = httpx.Client(base_url=address, timeout=None, limits=httpx.Limits(max_connections=None))
        self.chat = GgufFile(path).chat()
        self._context = context
        self._recited = recited
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
        left = measure_room(len(ids), self._context)
        if self._recited is None:
            said = self._asked(ids, n_predict=min(sampling.max_tokens, left), stop=ENDS, **_drawn(sampling))
            finish: Finish = "length" if said["stop_type"] == "limit" else "stop"
            return _completion(said["content"] + said["stopping_word"], finish, said, said["tokens"], len(ids))
        turn = self._recited.turn(prompt)
        said = self._asked(ids, n_predict=len(turn.wrote), ignore_eos=True, temperature=0)
        if said["tokens_predicted"] != len(turn.wrote):
            raise BackendError(f"llama-server wrote {said['tokens_predicted']} tokens instead of {len(turn.wrote)}")
        return _completion(turn.text, turn.finish, said, turn.wrote, len(ids))

    def _asked(self, ids: Sequence[int], **wanted: Any) -> dict[str, Any]:
        sent = {"prompt": ids, "cache_prompt": True, "return_tokens": True, **wanted}
        answer = self._client.post("/completion", json=sent)
        if answer.status_code != httpx.codes.OK:
            raise BackendError(f"llama-server answered {answer.status_code}: {answer.text[:300]}")
        said: dict[str, Any] = answer.json()
        return said


@contextmanager
def serving(server: Path, model: Path, context: int, slots: int, threads: int) -> Iterator[tuple[str, int]]:
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
            _wait(process, address)
            yield address, process.pid
        except BackendError as error:
            log.seek(max(0, log.tell() - 500), os.SEEK_SET)
            raise BackendError(f"{error}; it said last: {log.read().decode('utf-8', 'replace')}") from error
        finally:
            process.kill()


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    until = time.monotonic() + STARTS
    while process.poll() is None and time.monotonic() < until:
        try:
            if httpx.get(f"{address}/health").status_code == httpx.codes.OK:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise BackendError("llama-server did not start")


def _drawn(sampling: Sampling) -> dict[str, Any]:
    drawn = {"temperature": sampling.temperature, "top_p": sampling.top_p, "seed": sampling.seed}
    return {**drawn, "top_k": 0, "min_p": 0}


def _completion(text: str, finish: Finish, said: Mapping[str, Any], wrote: Sequence[int], read: int) -> Completion:
    cached = read - int(said["timings"]["prompt_n"])
    return Completion(text, finish, read, cached, len(wrote), token_ids=tuple(wrote))
