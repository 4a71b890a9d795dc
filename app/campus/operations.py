"""For whoever keeps Scribe running: is it alive, what does it do, and an end that lets answers finish."""

import asyncio
import hmac
import json
import logging
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from app.store.database import Database, StorageError
from app.store.limits import DAY
from app.store.privacy import PrivacyDesk
from app.store.settings import StorageSettings
from app.web.line import WaitingLine

MOVED = 3600.0
"""Seconds by which a clock that is moved while a purge waits makes ages doubtful."""
LONGEST_END = 60.0
"""Seconds that answers under way get at the end."""
HERE = ("127.0.0.1", "::1")

log = logging.getLogger(__name__)


class ChatMetrics:
    """What Prometheus reads. No figure is of a person; courses are named."""

    def __init__(self, line: WaitingLine) -> None:
        self.registry = CollectorRegistry()
        kinds = ("course", "stop")
        self._questions = Counter("scribe_questions", "Questions that are over", kinds, registry=self.registry)
        buckets = (0.5, 1, 2, 4, 8, 15, 30, 60, 120)
        self._seconds = Histogram(
            "scribe_answer_seconds",
            "From a question's turn in the line to its last word",
            ("course",),
            buckets=buckets,
            registry=self.registry,
        )
        self._refused = Counter("scribe_refused", "Questions that were not let in", ("why",), registry=self.registry)
        waiting = Gauge("scribe_line_length", "Questions being answered or waiting", registry=self.registry)
        waiting.set_function(lambda: len(line))

    def note_answer(self, course: str, stop: str, seconds: float) -> None:
        """Count a question that is over."""
        self._questions.labels(course, stop).inc()
        self._seconds.labels(course).observe(seconds)

    def note_refusal(self, why: str) -> None:
        """Count a question that was not let in."""
        self._refused.labels(why).inc()


@dataclass(frozen=True, slots=True)
class OperationPages:
    """`/healthz` and `/metrics`. word: what a reader of metrics brings as a bearer token; none: this machine alone."""

    database: Database
    metrics: ChatMetrics
    word: bytes | None

    def routes(self) -> list[BaseRoute]:
        """The paths of these pages."""
        return [
            Route("/healthz", self.show_health, methods=["GET"]),
            Route("/metrics", self.show_metrics, methods=["GET"]),
        ]

    def show_health(self, request: Request) -> Response:
        """200 if the database answers, else 503."""
        try:
            with self.database.transaction() as session:
                session.connection()  # begins it, which takes the lock that writing needs
        except StorageError as error:
            log.warning("not healthy: %s", error)
            return PlainTextResponse("the database does not answer", 503)
        return PlainTextResponse("ok")

    def show_metrics(self, request: Request) -> Response:
        """All metrics, in Prometheus's text form."""
        if not self._may_read(request):
            return PlainTextResponse("not for you", 403)
        return Response(generate_latest(self.metrics.registry), media_type=CONTENT_TYPE_LATEST)

    def _may_read(self, request: Request) -> bool:
        if self.word is None:
            # A proxy on this machine comes from here too, so what it hands on is told apart by its header.
            direct = "x-forwarded-for" not in request.headers and "forwarded" not in request.headers
            return direct and request.client is not None and request.client.host in HERE
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode(), self.word)


class JsonLines(logging.Formatter):
    """Log lines as JSON: time, level, where, message; never a question, an answer or a name."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        told = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "where": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def log_as_json() -> None:
    """Let the whole process log JSON lines to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    for chatty in ("httpx", "alembic", "gradio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)


def purge_daily(database: Database, settings: StorageSettings, clock: Callable[[float], Any] = time.sleep) -> None:
    """Start a thread that deletes what is older than it may be, now and once a day.

    After a day in which the machine's clock was moved it waits for another: by a clock that is wrong all is old.
    """

    def purge() -> None:
        moved = 0.0
        while True:
            try:
                if abs(moved) > MOVED:
                    log.warning("nothing is purged today: the clock was moved by %.0f seconds", moved)
                else:
                    log.info("purged %d conversations", PrivacyDesk(database).purge(settings))
            except StorageError as error:
                log.warning("the purge failed: %s", error)
            offset = time.time() - time.monotonic()
            clock(DAY)
            moved = time.time() - time.monotonic() - offset

    threading.Thread(target=purge, name="scribe-purge", daemon=True).start()


class PatientServer(uvicorn.Server):
    """A server that, told to end, takes no new question, lets those under way finish, and then ends."""

    def __init__(self, config: uvicorn.Config, line: WaitingLine) -> None:
        super().__init__(config)
        self._line = line
        self._ending = False

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Begin to end; a second signal ends at once."""
        if self._ending or sig == signal.SIGINT:
            super().handle_exit(sig, frame)
            return
        self._ending = True
        self._line.close()
        threading.Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        self._line.wait_until_empty(LONGEST_END)
        time.sleep(1.0)  # for the last words to be sent
        self.should_exit = True

    async def shutdown(self, sockets: Any = None) -> None:
        """End, not waiting for pages that only listen."""
        self.force_exit = True
        await asyncio.wait_for(super().shutdown(sockets), timeout=10)
        await self.lifespan.shutdown()  # which uvicorn leaves out then; it would end in a traceback
