"""Lessons for the embedded model: generated questions, answered by the scripted expert.

python -m finetune.trajectories.lessons runs/lessons.jsonl --course dsp
"""

import argparse
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.progress import track

from data.bundle import find
from finetune.hints import folded, plain, sample, train
from finetune.questions import Generator, Question, split_students
from finetune.trajectories.classroom import Classroom, RememberingEmbedder
from scribe import records
from scribe.records import Record
from scribe.trajectory import Trajectory
from tools.embedder import SentenceEmbedder
from tools.search.vault import Vault

SLIPS = 0.04


def lessons(
    room: Classroom, students: Sequence[str], each: int, seed: int, held_out: bool = False
) -> Iterator[tuple[Question, Trajectory]]:
    """`each` questions for every student and kind of report, answered by the expert."""
    for student in students:
        for place, theory in enumerate(room.course.student(student).reports):
            salt = zlib.crc32(f"{student}.{place}.{seed}".encode())
            generator = Generator(room.course, room.catalogue, salt, held_out)
            for question in generator.draw(each):
                done = room.answer(question, student, theory, 0.0 if held_out else SLIPS)
                if done is not None:
                    yield question, done


def write_lessons(rooms: Sequence[Classroom], path: Path, each: int, seed: int, held_out: bool = False) -> None:
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
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
