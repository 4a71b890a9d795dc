"""Trajectories for training: the teacher drives the same agent and tools over generated questions."""

import argparse
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from rich.progress import track

from data.bundle import find
from data.catalogue import load_catalogue
from data.course import Course
from finetune.hints import Hinting, folded, plain, sample, train
from finetune.questions import Generator, Question, split_students
from finetune.scripts_talk import SCRIPTS
from finetune.teacher import Brief, Teacher
from scribe import records
from scribe.agent import Agent
from scribe.grounding import Grounding
from scribe.records import Record
from scribe.tool import Toolbox
from scribe.trajectory import Exchange, Stop, Trajectory
from tools import lexicon, task
from tools.build import toolbox
from tools.embedder import Embedder, Role, SentenceEmbedder, Vectors
from tools.search.vault import Vault

SLIPS = 0.04


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


class Classroom:
    """One course and its tools, ready for the teacher to answer any student's question."""

    def __init__(self, course: Course, vault: Vault, hinting: Hinting) -> None:
        self.course, self.vault = course, vault
        self.catalogue = load_catalogue()
        self._hinting = hinting
        self._check = Grounding(lexicon.make(course, self.catalogue))

    def answer(self, question: Question, student: str, theory: str, slips: float = 0.0) -> Trajectory | None:
        """The teacher's trajectory, or None if it did not end with the answer it had in mind."""
        history, question = self._before(question, student, theory)
        if history is None:
            return None
        wordings = [one.wording for one in (question.earlier, question) if one]
        hint = self._hinting(question.text, history, wordings)
        asked = task.make(self.course, student, question.text, theory, history, hint)
        brief = Brief(question, asked.report, self.course.weeks, self.course.weeks_done)
        seed = zlib.crc32(f"{student}{question.text}".encode())
        teacher = Teacher(SCRIPTS[question.intent], brief, slips, seed)
        agent = Agent(teacher, self.toolbox(student), self._check)
        done = agent.run(Trajectory(asked))
        return done if done.stop is Stop.ANSWERED and not teacher.pending else None

    @lru_cache(maxsize=4)  # noqa: B019 - a classroom lives as long as the process
    def toolbox(self, student: str) -> Toolbox:
        """The tools of one student; students come one after the other, so few are kept."""
        return toolbox(self.course, student, self.vault, self.catalogue)

    def _before(
        self, question: Question, student: str, theory: str
    ) -> tuple[tuple[Exchange, ...] | None, Question]:
        """The exchange before a follow-up, answered by the teacher too, and what the question takes from it."""
        earlier = question.earlier
        if earlier is None:
            return (), question
        first = self.answer(earlier, student, theory)
        if first is None or first.answer is None:
            return None, question
        if question.intent == "feature_meaning" and "feature" not in question.slots:
            top = _first_behaviour(first.answer, [feature.label for feature in self.catalogue])
            if top is None:
                return None, question
            question = replace(question, slots={**question.slots, "top": top})
        return (Exchange(earlier.text, first.answer),), question


def lessons(
    room: Classroom, students: Sequence[str], each: int, seed: int, held_out: bool = False
) -> Iterator[tuple[Question, Trajectory]]:
    """`each` questions for every student and kind of report, answered by the teacher."""
    for student in students:
        for place, theory in enumerate(room.course.student(student).reports):
            salt = zlib.crc32(f"{student}.{place}.{seed}".encode())
            generator = Generator(room.course, room.catalogue, salt, held_out)
            for question in generator.draw(each):
                done = room.answer(question, student, theory, 0.0 if held_out else SLIPS)
                if done is not None:
                    yield question, done


def _first_behaviour(answer: str, labels: Sequence[str]) -> str | None:
    """The feature that an answer names first."""
    low = answer.lower()
    found = [(low.index(label), -len(label), label) for label in labels if label in low]
    return min(found)[2] if found else None


def write_lessons(
    rooms: Sequence[Classroom], path: Path, each: int, seed: int, held_out: bool = False
) -> None:
    """Lessons as records, one JSON line each; held-out ones are of held-out students and wordings."""
    made: list[Record] = []
    pupils = [(room, one) for room in rooms for one in split_students(list(room.course.students))[int(held_out)]]
    for room, student in track(pupils, f"lessons for {path.name}"):
        for question, done in lessons(room, [student], each, seed, held_out):
            model = {"backend": "teacher", "intent": question.intent, "wording": question.wording}
            made.append(Record.of(done, f"{room.course.id}-{student}-{len(made)}", model))
    records.write(path, made)


def main() -> None:
    """Write lessons for a course."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--course", default="dsp")
    parser.add_argument("--each", type=int, default=24, help="questions per student and kind of report")
    parser.add_argument("--held-out", action="store_true", help="held-out wordings and students only")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    embedder = RememberingEmbedder(SentenceEmbedder())
    course = find(given.course)
    known = sample(embedder, course, held_out=False)
    fingerprint = embedder.fingerprint
    hinting = plain(embedder, train(known, fingerprint)) if given.held_out else folded(known, embedder)
    room = Classroom(course, Vault(embedder), hinting)
    write_lessons([room], given.out, given.each, given.seed, given.held_out)


if __name__ == "__main__":
    main()
