"""One course with its tools, in which the scripted expert answers any student's question."""

import random
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from data.catalogue import load_catalogue
from data.catalogue_languages import catalogue_in
from data.course import Course
from finetune.hints import Hinting
from finetune.questions import Question
from finetune.trajectories.moves import Brief
from finetune.trajectories.several import script
from finetune.trajectories.slips import Manner
from finetune.trajectories.table import WAYS
from finetune.trajectories.teacher import Teacher
from scribe.agent import Agent
from scribe.grounding import Grounding
from scribe.tool import Toolbox
from scribe.trajectory import Exchange, Stop, Task, Trajectory
from tools import lexicon, task
from tools.build import toolbox
from tools.embedder import Embedder, Role, Vectors
from tools.reading.naming import Naming
from tools.search.vault import Vault

_BEHAVIOUR = {"feature_meaning": "feature", "behaviour_impact": "behaviour"}
"""Kinds of question on a behaviour, and the slot that holds it."""


class RememberingEmbedder:
    """Keeps the vectors of texts it has seen: generated questions ask for the same topics again and again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._seen: dict[tuple[str, Role], Vectors] = {}

    @property
    def fingerprint(self) -> str:
        return self._embedder.fingerprint

    @property
    def languages(self) -> tuple[str, ...]:
        return self._embedder.languages

    def embed(self, texts: Sequence[str], role: Role = "document") -> Vectors:
        if len(texts) > 1:
            return self._embedder.embed(texts, role)
        key = (texts[0], role)
        if key not in self._seen:
            self._seen[key] = self._embedder.embed(texts, role)
        return self._seen[key]


@dataclass(frozen=True, slots=True)
class Shown:
    """What the expert did: its trajectory, how many mistakes it made on purpose, and which order of calls it took.

    meant: whether it ended with the answer that the expert had in mind; only then it is a lesson. doubt: why that
    answer is known to be beside the question, so that it is none after all.
    """

    done: Trajectory
    slips: int
    way: int
    meant: bool
    doubt: str = ""


class Classroom:
    """One course and its tools, ready for the expert to answer any student's question."""

    def __init__(self, course: Course, vault: Vault, hinting: Hinting) -> None:
        self.course, self.vault = course, vault
        self.catalogue = catalogue_in(course.language)
        self._hinting = hinting
        self.naming = Naming(course)
        self.check = Grounding(lexicon.make(course, self.catalogue))

    def answer(self, question: Question, student: str, theory: str, slips: float = 0.0) -> Trajectory | None:
        """The expert's trajectory, or None if it did not end with the answer it had in mind."""
        history, question = self._before(question, student, theory)
        if history is None:
            return None
        shown = self.show(question, self.asked(question, student, theory, history), Manner(slips))
        return shown.done if shown.meant else None

    def asked(self, question: Question, student: str, theory: str, history: Sequence[Exchange]) -> Task:
        """The task of a question, with its hint."""
        # An exchange that nobody generated has no wording of ours.
        before = question.earlier.wording if question.earlier else ""
        wordings = [*[before for _ in history], question.wording]
        second = question.second.wording if question.second else ""
        plain = task.make(self.course, student, question.text, theory, history)
        said = self._hinting(question.text, history, wordings, second)
        hint = task.hinted(said, question.text, self.naming, history, task.code(plain.language))
        return replace(plain, hint=hint)

    def show(self, question: Question, asked: Task, manner: Manner, varied: bool = False) -> Shown:
        """The expert at work on a task; `varied`: it takes any of the valid orders of calls. The same each time."""
        seed = zlib.crc32(f"{asked.student}{asked.question}".encode())
        way = random.Random(seed + 1).randrange(WAYS.get(question.intent, 1)) if varied else 0
        course = self.course
        named = self._named(question, asked)
        brief = Brief(question, asked.report, course.weeks, course.weeks_done, way, asked.language, named)
        teacher = Teacher(script, brief, manner, seed)
        done = Agent(teacher, self.toolbox(asked.student), self.check).run(Trajectory(asked))
        meant = done.stop is Stop.ANSWERED and not teacher.pending
        return Shown(done, teacher.slips, way, meant, teacher.doubt)

    def _named(self, question: Question, asked: Task) -> dict[str, str]:
        """For values that the question is about what its hint calls them, where it does."""
        spoken = task.code(asked.language)
        told = {name for part in self.naming.parts(asked.question, asked.history, spoken) for name in part.names}
        each = (str(value) for one in (question, question.second) if one for value in one.slots.values())
        owns = {value: self.naming.own(value, spoken) for value in each if not value.isdigit()} if asked.hint else {}
        return {value: own for value, own in owns.items() if own in told}

    @lru_cache(maxsize=4)  # noqa: B019 - a classroom lives as long as the process
    def toolbox(self, student: str) -> Toolbox:
        """The tools of one student; students come one after the other, so few are kept."""
        return toolbox(self.course, student, self.vault, self.catalogue)

    def leaning(self, question: Question, answer: str) -> Question | None:
        """The question with what it takes from the answer before it; None if that answer does not say it."""
        own = _BEHAVIOUR.get(question.intent)
        alone = question.intent == "behaviour_impact" and question.earlier is None
        if own is None or own in question.slots or alone:
            return question
        top = _first_behaviour(answer, [one.label for one in (*self.catalogue, *load_catalogue())])
        return replace(question, slots={**question.slots, "top": top}) if top else None

    def _before(self, question: Question, student: str, theory: str) -> tuple[tuple[Exchange, ...] | None, Question]:
        """The exchange before a follow-up, answered by the expert too, and what the question takes from it."""
        earlier = question.earlier
        if earlier is None:
            return (), question
        first = self.answer(earlier, student, theory)
        leaning = self.leaning(question, first.answer) if first and first.answer else None
        if first is None or first.answer is None or leaning is None:
            return None, question
        return (Exchange(earlier.text, first.answer),), leaning


def _first_behaviour(answer: str, labels: Sequence[str]) -> str | None:
    """The feature that an answer names first."""
    low = answer.lower()
    found = [(low.index(label), -len(label), label) for label in labels if label in low]
    return min(found)[2] if found else None
