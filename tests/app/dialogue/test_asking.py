"""One question from task to record, and what a listener hears on the way."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.dialogue.asking import AnswerRetracted, AnswerText, Event, StepTaken, ask
from scribe.agent import Agent
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.grounding import Grounding, Lexicon
from scribe.messages import Message
from scribe.plumbing.errors import ContextFull
from scribe.tool import Identity, Toolbox
from scribe.trajectory import Exchange, Fault, Stop, Task
from tests.app.told import final, pieces
from tests.scribe.scripted import ScriptedBackend

TASK = Task("dsp", "s001", "Why?", "In week 5 you had 3 sessions.")


@dataclass
class Typing:
    """A scripted model that writes a few characters at a time and can hold only so much history."""

    script: ScriptedBackend
    room: int = 99
    heard: list[str] = field(default_factory=list)

    @property
    def info(self) -> Mapping[str, str]:
        return self.script.info

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        if len(prompt) > self.room:
            raise ContextFull(len(prompt), self.room)
        said = self.script.complete(prompt, sampling, constraint)
        for piece in pieces(said.text):
            if on_text is not None and on_text(piece) is False:
                return Completion("", "cancelled")
        return said


def agent(*turns: str, room: int = 99) -> Agent:
    return Agent(Typing(ScriptedBackend(turns), room), Toolbox((), Identity("s001", "dsp")), Grounding(Lexicon()))


def heard(events: list[Event]) -> str:
    """What stands on the screen after these events."""
    text = ""
    for event in events:
        match event:
            case AnswerText(more):
                text += more
            case AnswerRetracted():
                text = ""
    return text


def test_the_answer_is_heard_in_sentences_and_kept_in_the_record() -> None:
    events: list[Event] = []
    record = ask(agent(final("You had 3 sessions. That was in week 5.")), TASK, events.append)
    assert record.answer == heard(events) == "You had 3 sessions. That was in week 5."
    assert [type(event) for event in events] == [AnswerText, AnswerText, StepTaken]
    assert record.stop is Stop.ANSWERED


def test_what_was_shown_of_a_refused_answer_is_taken_back() -> None:
    events: list[Event] = []
    wrong, right = final("You had 3 sessions. The class had 8."), final("You had 3 sessions.")
    record = ask(agent(wrong, right), TASK, events.append)
    assert heard(events) == record.answer == "You had 3 sessions."
    assert AnswerRetracted() in events
    assert "8" not in "".join(event.text for event in events if isinstance(event, AnswerText))
    assert isinstance(record.steps[0], Fault)


def test_stopping_ends_it_as_cancelled() -> None:
    record = ask(agent(final("You had 3 sessions.")), TASK, lambda event: None, stopped=after(5))
    assert record.stop is Stop.CANCELLED
    assert record.answer is None


def after(calls: int) -> Callable[[], bool]:
    """True from the given number of calls on."""
    left = iter([False] * calls)
    return lambda: next(left, True)


def test_history_that_does_not_fit_is_left_out_oldest_first() -> None:
    history = tuple(Exchange(f"question {n}", f"answer {n}") for n in range(3))
    record = ask(agent(final("Yes."), room=4), replace(TASK, history=history), lambda event: None)
    assert record.answer == "Yes."
    assert record.task.history == history[2:]


def test_a_question_too_long_by_itself_ends_as_context_full() -> None:
    record = ask(agent(final("Yes."), room=1), TASK, lambda event: None)
    assert record.stop is Stop.CONTEXT_FULL
