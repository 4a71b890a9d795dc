"""A student that a language model plays: told what it knows, it answers the tutor and writes programs.

The prompts' content is the paper's (tables 8 to 10, 12, 13). Unlike there all three levels are told the same rules, and
a program may be long enough to be finished: of the authors' released completions 32 % were cut off.
"""

import ast
import re
import textwrap
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from data.tasks.brief import join_package, make_brief
from data.tasks.format import CodingTask
from eval.tutoring.students.asking import MARKERS, draw_text, mix_seed
from eval.tutoring.students.attention import keep_heard
from eval.tutoring.students.prior import draw_prior
from eval.tutoring.students.student import Level, StudentState
from scribe.backend import Backend, Sampling
from scribe.dialect import Dialect
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER, OPENER, Message, defuse
from scribe.tutor.session import Language, StudentTurn, TaskBrief, Turn, TutoringSession, TutorTurn

TEMPERATURE, TOP_P = 0.4, 0.95
"""The paper's (appendix A.2)."""
TURN_TOKENS, PROGRAM_TOKENS = 300, 1000
_BLOCK = re.compile(r"```[ \t]*(?:python|py)?[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_MARKERS = {
    "opener": OPENER, "end_of_reasoning": END_OF_REASONING, "final": FINAL_ANSWER, "end_of_final": END_OF_FINAL_ANSWER
}  # fmt: skip


class LanguageModelStudent:
    """A student of one task, level and seed, played by the model of a backend."""

    kind = "model"

    def __init__(
        self, task: CodingTask, level: Level, backend: Backend, seed: int = 0, dialect: Dialect = MARKERS
    ) -> None:
        self.level: Level = level
        self._task, self._backend, self._seed, self._dialect = task, backend, seed, dialect

    def begin(self) -> StudentState:
        """Nobody knows what a model knows."""
        return StudentState()

    def inform(self) -> StudentState:
        """Told all dependencies, the code around and the steps, as the paper's Oracle."""
        return StudentState(informed=True)

    def reply(self, session: TutoringSession, state: StudentState) -> tuple[StudentTurn, StudentState]:
        """What the model answers. Raises BackendError."""
        system = Message("system", self._describe(session.brief, state) + _part("speaking", **_MARKERS))

        def prompt(shown: int) -> Sequence[Message]:
            turns = session.turns[max(0, len(session.turns) - shown) :]
            said = [_to_message(turn) for turn in turns]
            opening = [Message("user", _part("begin"))] if said and said[0].role == "assistant" else []
            return [system, *opening, *said]

        seed = mix_seed(self._task.id, self.level, str(self._seed), "turn", str(session.rounds))
        sampling = Sampling(TEMPERATURE, TOP_P, seed, TURN_TOKENS)
        text = draw_text(self._backend, prompt, len(session.turns), sampling, bool, self._dialect)
        return StudentTurn(text), state

    def attempt(self, session: TutoringSession, state: StudentState, number: int) -> str:
        """A program from what the model knows and, of each tutor's turn, what is heard. Raises BackendError."""

        def prompt(shown: int) -> Sequence[Message]:
            turns = session.turns[max(0, len(session.turns) - shown) :]
            after = _part("after") if turns else ""
            parts = [self._describe(session.brief, state) + _part("writing", dialogue=after, **_MARKERS)]
            if turns:
                parts += [_part("heading"), *map(_quote, turns)]
            request = _part("request", name=self._task.target_name)
            return [Message("system", "\n\n".join(parts)), Message("user", request)]

        seed = mix_seed(self._task.id, self.level, str(self._seed), "program", str(session.rounds), str(number))
        sampling = Sampling(TEMPERATURE, TOP_P, seed, PROGRAM_TOKENS)
        raw = draw_text(self._backend, prompt, len(session.turns), sampling, bool, self._dialect)
        return extract_program(raw, self._task.target_name)

    def _describe(self, brief: TaskBrief, state: StudentState) -> str:
        """Who the student is, the task, and what they know."""
        known = draw_prior(self._task, self.level, self._seed)
        listed = [each for each in self._task.components if each.kind == "dependency"]
        if not state.informed:
            listed = [each for each in listed if each.name in known]
        texts = {each.name: defuse(each.text) for each in brief.components}
        lines = "\n".join(f"- `{each.symbol}`: {texts[each.name]}" for each in listed)
        parts = [_describe_role(self._task, brief.language)]
        parts.append(_part("dependencies", dependencies=lines) if lines else _part("low"))
        if self.level == "high" or state.informed:
            parts.append(_part("context", context=join_package(self._task)))
        if state.informed:
            parts.append(_part("steps", steps="\n".join(f"- {text}" for text in texts.values())))
        return "".join(parts)


def extract_program(text: str, name: str) -> str:
    """The function of a model's answer: of its code blocks the first that defines it, else the first, else the text.

    A block that is not closed goes to the end. Of a block that is whole Python only the definition is taken, and of a
    class the method, since a program stands for the target alone; a function keeps what is imported before it.
    """
    blocks = [textwrap.dedent(block) for block in _BLOCK.findall(text)] or [textwrap.dedent(text)]
    return next((found for block in blocks if (found := _pick_definition(block, name))), blocks[0])


def _pick_definition(code: str, name: str) -> str:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    found = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and node.name == name.rpartition(".")[2]
    )
    node = next(found, None)
    if node is None:
        return ""
    first = min((node.lineno, *(each.lineno for each in node.decorator_list)))
    lines = code.splitlines()[first - 1 : node.end_lineno]
    imports = [ast.unparse(each) for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    kept = [] if "." in name else imports
    return "\n".join((*kept, textwrap.dedent("\n".join(lines)))) + "\n"


@cache
def _load_parts() -> dict[str, str]:
    return tomllib.loads(Path(__file__).with_name("prompts.toml").read_text(encoding="utf-8"))


def _part(part: str, /, **words: str) -> str:
    return _load_parts()[part].format(**words)


def _describe_role(task: CodingTask, language: Language) -> str:
    brief = make_brief(task, language)
    words = {"title": brief.title, "description": brief.description, "stub": brief.stub.rstrip()}
    plain = {name: defuse(text) for name, text in words.items()}
    return _part("role", target=task.target, language=language, **plain).lstrip()


def _to_message(turn: Turn) -> Message:
    """The tutor is the model's user; what it said as a student itself is its own."""
    if isinstance(turn, TutorTurn):
        return Message("user", defuse(turn.text))
    return Message("assistant", f"{FINAL_ANSWER}{defuse(turn.text)}{END_OF_FINAL_ANSWER}")


def _quote(turn: Turn) -> str:
    if isinstance(turn, TutorTurn):
        return f"Tutor: {defuse(keep_heard(turn.text))}"
    return f"Student: {defuse(turn.text)}"
