"""A small OpenAI-compatible server on loopback that replays a script over a model that really reads and writes.

    python -m eval.bench.frameworks.server SCRIPT.json --model MODEL.gguf

Its first line on stdout is its address. `/v1/chat/completions` answers turns, one at a time, whoever waits;
`/tools` runs a call of ours for a student, `/reset` and `/counters` are for the measuring. Without streaming.
"""

import argparse
import json
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from eval.bench.frameworks import script
from eval.bench.frameworks.replaying import Replaying
from eval.bench.frameworks.stage import Stage
from scribe.errors import ScribeError, UsageError
from tools.embedding.embedders import MiniLM
from tools.search.vector_store import VectorStore


class Door(BaseHTTPRequestHandler):
    """One connection. It is kept open, and what is sent goes out at once and in one piece."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    stage: Stage

    def do_POST(self) -> None:
        """Answer a request; errors in OpenAI's form."""
        with self.stage.counters.busy():
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            try:
                status, said = 200, self._said(asked)
            except (ScribeError, KeyError) as error:
                status, said = 400, {"error": {"message": str(error), "type": "invalid_request_error"}}
            body = json.dumps(said, ensure_ascii=False).encode()
        head = f"HTTP/1.1 {status} .\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.wfile.write(head.encode() + body)

    def _said(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        match self.path:
            case "/v1/chat/completions":
                return self.stage.completed(asked)
            case "/tools":
                return self.stage.called(asked)
            case "/counters":
                return self.stage.counters.read()
            case "/reset":
                self.stage.counters.reset()
                return {}
            case _:
                raise UsageError(f"there is nothing at {self.path}")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a line for each request costs time."""


def serve(stage: Stage) -> ThreadingHTTPServer:
    """The server on a free port of loopback; the caller lets it run."""
    door = type("DoorToStage", (Door,), {"stage": stage})
    server = ThreadingHTTPServer(("127.0.0.1", 0), door)
    server.daemon_threads = True
    return server


def main() -> None:
    """Serve until stdin ends, which it does when whoever started this is gone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("script", type=Path)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--context", type=int, default=8192)
    given = parser.parse_args()
    played = script.from_json(given.script.read_text(encoding="utf-8"))
    vault = VectorStore(MiniLM())
    vault.embedder.embed(["warm"], role="query")  # loaded now and not in somebody's measured question
    server = serve(Stage(played, Replaying(given.model, given.context, given.threads), vault))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
