"""Conversations as far as their writer has come: the ended ones, and what to ask next of all others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files

from finetune.conversations.writer_files import Prompt, Question
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import OPENER, Message
from scribe.trajectory import Exchange, Trajectory
from tools.assembly.assistant import Assistant

SLIP = (
    "For practice, make a typical mistake of a small model in this call: a tool that does not exist, an argument that "
    "is missing or wrong, a week outside the course. Put it right after the refusal."
)
_ROLES = {"system": "system", "user": "user", "assistant": "assistant", "tool": "user"}


class TurnMissing(Exception):
    """The writer has not said the turn `id`, which would follow `prompt`."""

    def __init__(self, id: str, prompt: Sequence[Message]) -> None:
        super().__init__(id)
        self.id = id
        self.prompt = tuple(prompt)


@dataclass(frozen=True, slots=True)
class RecordedWriter:
    """The turns of one question's conversation, by their ids: `QUESTION#1`, `QUESTION#2` and so on.

    A backend, so that the assistant that serves students plays them back with its own tools and check.
    """

    question: str
    turns: Mapping[str, str]

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "recorded", "name": "recorded"}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        """The turn that follows this prompt. Raises TurnMissing if the writer has not said it yet."""
        written = sum(message.role == "assistant" and message.content.startswith(OPENER) for message in prompt)
        id = f"{self.question}#{written + 1}"
        if id not in self.turns:
            raise TurnMissing(id, prompt)
        return Completion(self.turns[id].strip().removeprefix(OPENER))


@dataclass(frozen=True, slots=True)
class WriterRound:
    """What the turns so far come to."""

    ended: Mapping[str, Trajectory]
    """By question id."""
    prompts: Mapping[str, Prompt]
    """What to ask the writer now, by turn id."""


def play_back(
    questions: Sequence[Question], turns: Mapping[str, str], assistants: Mapping[str, Assistant]
) -> WriterRound:
    """Play back all turns. Questions that follow an unanswered one wait; those that follow none answered never ask.

    questions: each behind the one that it follows. turns: what the writer said, by turn id (see `RecordedWriter`).
    assistants: by course.
    """
    histories: dict[str, tuple[Exchange, ...]] = {}
    ended: dict[str, Trajectory] = {}
    prompts: dict[str, Prompt] = {}
    for one in questions:
        if one.follows and one.follows not in histories:
            continue
        assistant = assistants[one.course]
        # A writer draws nothing anew: it is told at once what was wrong, and each of its turns has a number.
        settings = assistant.settings.with_changes("answer", redraws=0)
        assistant = replace(assistant, backend=RecordedWriter(one.id, turns), settings=settings)
        history = histories.get(one.follows, ())
        task = assistant.task(one.student, one.question, one.theory, history)
        try:
            done = ended[one.id] = assistant.agent(one.student).run(Trajectory(task))
        except TurnMissing as missing:
            prompts[missing.id] = _write_prompt(missing.prompt, one.slip and missing.id.endswith("#1"))
            continue
        if done.answer is not None:
            histories[one.id] = (*history, Exchange(done.task.question, done.answer))
    return WriterRound(ended, prompts)


def _write_prompt(prompt: Sequence[Message], slip: bool) -> Prompt:
    """The brief, then the prompt as the model reads it."""
    brief = files(__package__).joinpath("brief.md").read_text(encoding="utf-8")
    first = {"role": "system", "content": f"{brief}\n{SLIP}" if slip else brief}
    return [first, *({"role": _ROLES[message.role], "content": message.content} for message in prompt)]
