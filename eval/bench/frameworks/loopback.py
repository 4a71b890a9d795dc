"""What a framework's process needs of us: the questions, the tools by HTTP, the clock. Standard library only.

This is read by the frameworks' own Python, in which none of our packages is installed.
"""

import argparse
import http.client
import json
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

Answer = Callable[[Mapping[str, Any]], str]
"""One part of the script to the framework's answer."""
Make = Callable[["Loopback", Sequence[Mapping[str, Any]]], Answer]
"""A framework, from the server and the tools."""


class Loopback:
    """The bench's server, as tools and measuring see it; each thread keeps a connection of its own."""

    def __init__(self, address: str) -> None:
        self.models = f"{address}/v1"
        self._host = address.removeprefix("http://")
        self._kept = threading.local()

    def call(self, student: str, name: str, arguments: Mapping[str, Any]) -> str:
        """What the tool says."""
        return str(self.post("/tools", {"student": student, "name": name, "arguments": arguments})["content"])

    def post(self, path: str, asked: Mapping[str, Any]) -> dict[str, Any]:
        """The server's answer. Raises RuntimeError with its complaint."""
        if not hasattr(self._kept, "connection"):
            self._kept.connection = http.client.HTTPConnection(self._host)
        self._kept.connection.request("POST", path, json.dumps(asked).encode())
        response = self._kept.connection.getresponse()
        said: dict[str, Any] = json.loads(response.read())
        if response.status != 200:
            raise RuntimeError(f"{path}: {said}")
        return said


def run(make: Make, packages: Sequence[str], arguments: Sequence[str] | None = None) -> None:
    """Answer all parts of a script in so many threads; print answers, seconds and the server's counts as JSON.

    packages: whose versions are told. arguments: of the command line. The last part is answered once before,
    unmeasured, so that all is loaded.
    """
    from importlib.metadata import version  # slow to import, and only the frameworks' Python needs it

    parser = argparse.ArgumentParser()
    parser.add_argument("script", type=Path)
    parser.add_argument("--server", required=True)
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args(arguments)
    server = Loopback(given.server)
    played = json.loads(given.script.read_text(encoding="utf-8"))
    answer = make(server, played["tools"])
    answer(played["parts"][-1])
    server.post("/reset", {})
    began = time.perf_counter()
    with ThreadPoolExecutor(given.threads) as pool:
        answers = list(pool.map(answer, played["parts"]))
    seconds = time.perf_counter() - began
    counts = server.post("/counters", {})
    versions = {name: version(name) for name in packages}
    json.dump({"answers": answers, "seconds": seconds, "counts": counts, "versions": versions}, sys.stdout)
