"""A campus that listens on this machine, with somebody in it to steal from, and requests to the letter."""

import http.client
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

from app.accounts.header import ISSUER
from app.accounts.settings import AccountSettings, HeaderSettings
from app.campus.application import Campus, build_application, build_chats, open_campus
from app.campus.settings import CampusSettings, SiteSettings
from app.store.consent import ConsentStore
from app.store.conversations import ConversationStore
from app.store.database import open_database
from app.store.settings import LimitSettings
from app.web.line import AT_ONCE, WAITING, WaitingLine
from app.web.serving import configure, find_free_port
from data import bundle
from tests.app.store.test_conversations import make_record
from tests.hostile.obedient import ScriptedObedient
from tests.hostile.world import COMMENT, COOKIE, PROOF, SAID, assemble_world, write_world

API = "/c/mini/en/gradio_api"
PATIENCE = 1.5
"""Seconds that a stream may say nothing before it is left."""
MOST = 400_000
"""Characters of an answer that are looked at."""
ROSTER = "account,course,student,role\nmal,mini,s001,student\nvic,mini,s002,student\nsam,mini,,staff\n"


@dataclass(slots=True)
class OpenCampus:
    """The campus, and what a thief may know: names of the victim's conversation, answer, session and person."""

    campus: Campus
    port: int
    model: ScriptedObedient
    known: Mapping[str, str]
    submit: int = 0
    inputs: tuple[int, ...] = ()

    def fill(self, text: str) -> str:
        """A text with what is known in the place of words in braces."""
        for word, value in self.known.items():
            text = text.replace("{" + word + "}", value)
        return text

    def agree(self, *accounts: str) -> None:
        """Let people have agreed."""
        store = ConsentStore(self.campus.database)
        for account in accounts:
            store.give(self.person(account), self.campus.pages.consent.version, "en")

    def person(self, account: str) -> str:
        return self.campus.registrar.find_person(ISSUER, account).id

    def send(
        self,
        account: str,
        method: str,
        target: str,
        headers: list[tuple[str, str]] | None = None,
        body: bytes | None = None,
        until: str = "",
    ) -> tuple[int, str]:
        """Status and text of one request, sent as it stands; a stream is read until a word in it, or until silence."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.putrequest(method, target, skip_accept_encoding=True)
        signed = [] if account == "nobody" else [("x-remote-user", account), ("x-scribe-proof", PROOF)]
        for name, value in (*signed, *(headers or [])):
            connection.putheader(name, value.encode("utf-8"))
        if body is not None:
            connection.putheader("content-length", str(len(body)))
        connection.endheaders(body)
        try:
            response = connection.getresponse()
            if not until and "event-stream" in (response.getheader("content-type") or "") and connection.sock:
                connection.sock.settimeout(PATIENCE)
            return response.status, str(response.headers) + _read(response, until)
        finally:
            connection.close()

    def ask(self, account: str, question: str, session: str) -> str:
        """All that the page is told while a question is answered."""
        event = {"data": [question, "nr", None], "fn_index": self.submit, "session_hash": session}
        status, text = self.send(account, "POST", f"{API}/queue/join", *write_json(event))
        if status != 200:
            return text
        return self.send(account, "GET", f"{API}/queue/data?session_hash={session}", until="process_completed")[1]


def write_json(value: Any) -> tuple[list[tuple[str, str]], bytes]:
    """Headers and body of a request with JSON."""
    return [("content-type", "application/json")], json.dumps(value).encode()


def _read(response: http.client.HTTPResponse, until: str) -> str:
    text = ""
    while len(text) < MOST and not (until and until in text):
        try:
            piece = response.readline() if until else response.read1(65536)
        except (TimeoutError, http.client.HTTPException):
            break
        if not piece:
            break
        text += piece.decode("utf-8", "replace")
    return text


@contextmanager
def open_hostile_campus(folder: Path) -> Iterator[OpenCampus]:
    """A campus with a course, a student who has asked and rated, and an obedient model."""
    course = bundle.load(write_world(folder / "courses") / "mini")
    for name, text in (("roster.csv", ROSTER), ("secret", COOKIE), ("proof", PROOF)):
        (folder / name).write_text(text)
    settings = CampusSettings(
        accounts=AccountSettings(("header",), str(folder / "roster.csv"), str(folder / "secret"), https=False),
        header=HeaderSettings(secret=str(folder / "proof")),
        site=SiteSettings(("127.0.0.1",)),
        limits=LimitSettings(per_minute=0, per_day=0),
    )
    database = open_database(str(folder / "scribe.db"))
    campus, model = open_campus(settings, [course], database), ScriptedObedient()
    assistant = assemble_world(course, model, folder / "vectors")
    application = build_application(campus, build_chats(campus, {"mini": assistant}, WaitingLine(AT_ONCE, WAITING)))
    port = find_free_port("127.0.0.1", 18700)
    server = uvicorn.Server(configure(application, "127.0.0.1", port))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    opened = OpenCampus(campus, port, model, {})
    opened.agree("mal", "vic")
    _settle_in(opened)
    yield opened
    server.should_exit = True
    thread.join(timeout=20)
    database.close()


def _settle_in(opened: OpenCampus) -> None:
    """The victim asks, rates, and has a page open."""
    store, person = ConversationStore(opened.campus.database), opened.person("vic")
    begun = store.begin(person, "mini", "s002", "nr")
    turn = store.add(person, begun, make_record("turn-of-vic", f"Why {SAID}?"), 1.0)
    store.rate(person, turn, 1, {"relevant": 4}, COMMENT)
    opened.known = {"c": begun, "t": turn, "s": "session-of-vic", "p": person, "api": API}
    told = json.loads(opened.send("vic", "GET", "/c/mini/en/config")[1].partition("\n\n")[2])
    parts = {each["id"] for each in told["dependencies"]}
    opened.submit = next(each["id"] for each in told["dependencies"] if any(n == "submit" for _, n in each["targets"]))
    opened.inputs = tuple(sorted(parts))
    opened.ask("vic", f"And {SAID}?", "session-of-vic")
