"""Simulated participants: of a store alone, and of pages."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from app.store.database import Database, open_database
from app.store.schema import ParticipantRow
from app.study.settings import DEMO, Study, read_study
from app.study.store import StudyStore
from scribe.records import Record
from scribe.trajectory import Stop, Task, Trajectory

CRITERIA = ("relevance", "usefulness", "actionability", "coverage", "conciseness")
STUDY = """
id = "test"
[consent]
version = "1"
en = { title = "Consent", paragraphs = ["Please agree."] }
fr = { title = "Accord", paragraphs = ["Merci d'accepter."] }
"""
MODELS = ("tiny-secret", "middle-secret", "large-secret")


def write_study(folder: Path, model: str = "") -> Path:
    """A study on three kinds of one student's reports. model: further keys of each model."""
    models = "".join(f'[[models]]\nid = "{name}"\n{model.replace("NAME", name)}\n' for name in MODELS)
    reports = "".join(
        f'[[reports]]\ncourse = "mini"\nstudent = "{name}"\ntheory = "nr"\n' for name in ("s001", "s002", "s003")
    )
    path = folder / "study.toml"
    path.write_text(STUDY + models + reports, encoding="utf-8")
    return path


@dataclass(frozen=True, slots=True)
class SimulatedStudy:
    """A store with what a test does to it."""

    study: Study
    store: StudyStore
    database: Database

    def cell(self, person: str) -> int:
        with self.database.transaction() as session:
            row = session.get_one(ParticipantRow, person)
            assert row.cell is not None
            return row.cell

    def finish(self, person: str, ratings: Callable[[str, str], int] = lambda model, criterion: 4) -> None:
        """Go through the whole study with one person."""
        with self.database.transaction() as session:
            models = [each.model for each in session.get_one(ParticipantRow, person).rounds]
        for number, model in enumerate(models):
            for question in range(3):
                asked = self.store.ask(person, f"ask-{number}-{question}", "Why?")
                record = Record.of(
                    Trajectory(Task("dsp", "s001", "Why?", "r", "a"), (), Stop.UNRESOLVED), f"{asked}", {}
                )
                self.store.keep_answer(asked, record, "Nobody knows.", 0.5)
            self.store.end_round(person, f"ask-{number}-3")
            self.store.rate(person, f"rate-{number}-0", {name: ratings(model, name) for name in CRITERIA})
        self.store.choose(person, "choose-0-0", 1, "Because.")


def make_store(address: str, clock: Callable[[], float]) -> SimulatedStudy:
    study, database = read_study(DEMO), open_database(address)
    return SimulatedStudy(study, StudyStore(database, study, clock), database)


def enrol(simulated: SimulatedStudy) -> str:
    """The id of somebody who came with a new code and agreed."""
    (code,) = simulated.store.make_codes(1)
    found = simulated.store.find(code)
    assert found is not None
    simulated.store.agree(found.id, "consent-0-0", "en")
    return found.id


class Visitor:
    """Somebody with a browser and a code."""

    def __init__(self, application: Any, code: str, **headers: str) -> None:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        self.browser = TestClient(application, base_url="http://localhost", headers=given)
        self.page = self.browser.post("/enter", data={"code": code}).text

    def step(self) -> str:
        """The step that the page's forms are for."""
        _, _, rest = self.page.partition('name="step" value="')
        return rest.partition('"')[0]

    def send(self, action: str, **fields: str) -> int:
        answer = self.browser.post(f"/study/{action}", data={"step": self.step(), **fields})
        self.page = answer.text
        return answer.status_code

    def agree(self) -> None:
        _, _, rest = self.page.partition('name="version" value="')
        self.send("agree", version=rest.partition('"')[0])

    def ask(self, question: str) -> None:
        """Ask, and wait for the answer."""
        self.send("ask", question=question)
        for _ in range(20):
            if 'role="status"' not in self.page:
                return
            self.page = self.browser.get("/study?wait=1").text
        raise AssertionError("no answer came")

    def rate(self, value: int) -> None:
        self.send("rate", **dict.fromkeys(CRITERIA, str(value)))
