"""Who decides that a dialogue has reached its goal: tests, or a language model that sees all (section 4.2)."""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pydantic import TypeAdapter, ValidationError

from data.tasks.format import CodingTask
from eval.tutoring.programs.tester import ProgramTester
from eval.tutoring.students.asking import draw_text, mix_seed
from scribe.backend import Backend, Sampling
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER, OPENER, Message, defuse
from scribe.tutor.session import StudentTurn, TutoringSession, TutorTurn

TEMPERATURE, TOKENS = 0.1, 400


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether the goal is reached. readable: False where a model gave no ruling; the dialogue then goes on."""

    reached: bool
    readable: bool = True


class Moderator(Protocol):
    """Looks at a session after each student's turn."""

    def judge(self, session: TutoringSession) -> Ruling:
        """Whether the goal is reached. Raises BackendError or SandboxMissing."""
        ...


class TestsModerator:
    """The goal is reached when the program that the student shows passes all tests."""

    __test__ = False  # pytest collects what is called Test…

    def __init__(self, task: CodingTask, tester: ProgramTester) -> None:
        self._task, self._tester = task, tester

    def judge(self, session: TutoringSession) -> Ruling:
        """Run the code of the last turn, if the student has any."""
        last = session.turns[-1]
        code = last.code if isinstance(last, StudentTurn) else ""
        return Ruling(bool(code) and self._tester.examine(self._task, code).passed)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What a moderator fills in: the components that the student has shown to know, and whether the goal is reached."""

    shown: tuple[str, ...]
    goal_reached: bool


_SHEET = TypeAdapter(_Sheet)


class ModelModerator:
    """A language model fills in a sheet; no word that it begins with can end a dialogue.

    The authors' moderator answers freely, and whatever begins with "y" ends the dialogue. Here the goal is reached
    only if the sheet says so and names every component as shown; a sheet that says one without the other is a no.
    """

    def __init__(self, backend: Backend, seed: int = 0) -> None:
        self._backend, self._seed = backend, seed

    def judge(self, session: TutoringSession) -> Ruling:
        """Ask up to three times for a sheet that can be read. Raises BackendError."""
        names = [each.name for each in session.brief.components]
        seed = mix_seed(session.brief.task, str(self._seed), "moderator", str(session.rounds))
        sampling = Sampling(TEMPERATURE, 1.0, seed, TOKENS)

        def prompt(shown: int) -> Sequence[Message]:
            return _write_prompt(session, shown)

        said = draw_text(self._backend, prompt, len(session.turns), sampling, lambda text: read_sheet(text) is not None)
        sheet = read_sheet(said)
        if sheet is None:
            return Ruling(False, readable=False)
        return Ruling(sheet.goal_reached and set(names) <= set(sheet.shown))


def read_sheet(text: str) -> _Sheet | None:
    """The sheet that a text consists of, or None: text before or after it, or a word for a truth, is no sheet."""
    body = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        return _SHEET.validate_python(json.loads(body), strict=False) if _is_plain(json.loads(body)) else None
    except (ValueError, RecursionError, ValidationError):
        return None


def _is_plain(sheet: object) -> bool:
    return isinstance(sheet, dict) and isinstance(sheet.get("goal_reached"), bool)


def _write_prompt(session: TutoringSession, shown: int) -> Sequence[Message]:
    raw = tomllib.loads(Path(__file__).with_name("moderator.toml").read_text(encoding="utf-8"))
    brief = session.brief
    rules = raw["rules"].format(
        title=defuse(brief.title),
        description=defuse(brief.description.strip()),
        stub=defuse(brief.stub.rstrip()),
        context=defuse(brief.context),
        components="\n".join(f"- {each.name}: {defuse(each.text)}" for each in brief.components),
        opener=OPENER,
        end_of_reasoning=END_OF_REASONING,
        final=FINAL_ANSWER,
        end_of_final=END_OF_FINAL_ANSWER,
    )
    turns = session.turns[max(0, len(session.turns) - shown) :]
    lines = (f"{'Tutor' if isinstance(turn, TutorTurn) else 'Student'}: {defuse(turn.text)}" for turn in turns)
    return [Message("system", rules), Message("user", raw["request"].format(dialogue="\n".join(lines)))]
