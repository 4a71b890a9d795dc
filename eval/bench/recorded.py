"""64 questions of 16 students, answered once by the embedded model: what every contender is asked, or has to write."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from data.pretrained.shipped import open_shipped_gguf
from eval.asking import Asking, Written, read
from eval.bench.listening import Listening, Prompt, Turn
from scribe.backends.llama import LlamaBackend
from scribe.errors import UsageError
from scribe.trajectory import Trajectory

QUESTIONS = Path(__file__).parent.parent / "student_questions.jsonl"
STUDENTS = 300
"""Of the course that is asked about, s001 and on."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question, the turns that answered it, and the ended trajectory with its calls and observations."""

    written: Written
    turns: tuple[Turn, ...]
    done: Trajectory


@dataclass(frozen=True, slots=True)
class Recorded:
    """All of them, in the order in which they are asked."""

    answered: tuple[Answered, ...]

    @property
    def questions(self) -> tuple[Written, ...]:
        return tuple(each.written for each in self.answered)

    @property
    def turns(self) -> tuple[Turn, ...]:
        return tuple(turn for each in self.answered for turn in each.turns)

    def by_prompt(self) -> Mapping[Prompt, Turn]:
        """The turn that follows each prompt. Of equal prompts one turn is kept, behind which all was recorded too."""
        return {turn.prompt: turn for turn in self.turns}


def questions(students: int, each: int) -> list[Written]:
    """So many questions of each student; neighbours are of different students, as in a busy hour.

    Raises UsageError for more students than the course has.
    """
    if not 1 <= students <= STUDENTS:
        raise UsageError(f"{students} students are not possible; the course has {STUDENTS}")
    pool = [written for written in read(QUESTIONS) if not written.history]
    apart = min(10, STUDENTS // students)
    ids = [f"s{apart * number:03d}" for number in range(1, students + 1)]
    return [
        Written(f"{turn}-{student}", "dsp", student, "nr", pool[(turn * students + at) % len(pool)].question, (), "")
        for turn in range(each)
        for at, student in enumerate(ids)
    ]


def record(asked: Sequence[Written], threads: int, model: Path | None = None) -> Recorded:
    """Let the embedded model answer, one question after the other."""
    backend = LlamaBackend(model or open_shipped_gguf(), threads=threads, parallel=1)
    listening = Listening(backend)
    asking = Asking(listening)
    answered = []
    for written in asked:
        done = asking.answer(written)
        answered.append(Answered(written, listening.turns(backend.chat), done))
        listening.heard.clear()
    backend.close()
    return Recorded(tuple(answered))
