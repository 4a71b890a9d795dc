"""Two questions asked at once get both their answers, the first first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest

from app import build
from app.asking import Event, Retracted, Said, Stepped, ask
from app.distress import FRENCH, CaringAgent
from app.parts import Behind, PartingAgent, joined
from app.settings import Settings
from app.steps import lines
from scribe import records
from scribe.agent import Limits, trusting
from scribe.backend import Completion, Constraint, OnText, Sampling, ScriptedBackend
from scribe.messages import Message
from scribe.streaming import AnswerStream
from scribe.tool import Identity, Tool, Toolbox
from scribe.trajectory import Answer, Exchange, Part, Stop, Task, Trajectory
from scribe.transcript import of_step
from tests.app.told import final, pieces

TASK = Task("dsp", "s001", "what is aliasing n how many points do i have", "The report.", hint="of the whole")
FIRST, SECOND = "what is aliasing", "how many points do i have"
CALL = '[REASONING] look [END_OF_REASONING]\n[TOOL_CALL]{"name": "points", "arguments": {}}[END_OF_TOOL_CALL]'
WRONG = "no marker at all"
OPEN = "\n\nI found no answer to your {} question."


@dataclass(slots=True)
class InPieces(ScriptedBackend):
    """Says each turn a few characters at a time, as a model does."""

    size: int = 3

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        said = ScriptedBackend.complete(self, prompt, sampling, constraint, None, owner)
        if on_text is not None:
            for piece in pieces(said.text, self.size):
                on_text(piece)
        return said


def points() -> dict[str, str]:
    """Points so far."""
    return {"says": "12 points."}


def agent(*turns: str, hinted: Callable[[Task], Task] = lambda task: task, limits: Limits = Limits()) -> PartingAgent:
    tools = Toolbox((Tool.of(points),), Identity("s001", "dsp"))
    return PartingAgent(ScriptedBackend(list(turns)), tools, trusting, limits=limits, hinted=hinted)


def test_both_answers_are_given_and_the_first_stands_in_the_steps() -> None:
    done = agent(final("It folds."), CALL, final("You have 12.")).run(Trajectory(TASK))
    assert done.stop is Stop.ANSWERED and done.answer == "It folds.\n\nYou have 12."
    assert [step.kind for step in done.steps] == ["part", "act", "answer"]
    assert isinstance(done.steps[0], Part) and (done.steps[0].question, done.steps[0].text) == (FIRST, "It folds.")


def test_each_part_has_its_own_hint_and_the_second_knows_the_first() -> None:
    seen: list[Task] = []

    def hinted(task: Task) -> Task:
        seen.append(task)
        return replace(task, hint=f"about {task.question}")

    before = Exchange("Hi?", "Hello.")
    asking = agent(final("It folds."), final("You have 12."), hinted=hinted)
    asking.run(Trajectory(replace(TASK, history=(before,))))
    assert [(each.question, each.history) for each in seen] == [
        (FIRST, (before,)),
        (SECOND, (before, Exchange(FIRST, "It folds."))),
    ]
    backend = asking.backend
    assert isinstance(backend, ScriptedBackend)
    assert ["about" in prompt[-1].content for prompt in backend.prompts] == [True, True]
    assert TASK.question not in "".join(message.content for prompt in backend.prompts for message in prompt)


def test_one_question_is_answered_as_before() -> None:
    done = agent(final("It folds.")).run(Trajectory(replace(TASK, question=FIRST)))
    assert [step.kind for step in done.steps] == ["answer"] and done.answer == "It folds."


@pytest.mark.parametrize("second", ["It folds.", "Ask the team.", "It folds. Ask the team.", "- week 2"])
def test_a_second_answer_that_the_first_holds_is_not_said_again(second: str) -> None:
    first = "It folds. Ask the team.\n- week 2"
    assert joined(first, second) == first


@pytest.mark.parametrize(
    "second", ["You have 12. It folds.", "2 points.", "It folds", "P. ex. ceci.\nPuis cela.", "p. ex."]
)
def test_any_other_second_answer_stays_whole(second: str) -> None:
    first = "It folds. You have 12 points. Voir p. ex. cela."
    assert joined(first, second) == f"{first}\n\n{second}"


@pytest.mark.parametrize(
    ("turns", "answer"),
    [
        ((WRONG, WRONG, final("You have 12.")), "You have 12." + OPEN.format("first")),
        ((final("It folds."), WRONG, WRONG), "It folds." + OPEN.format("second")),
    ],
)
def test_a_part_without_an_answer_is_named_beside_the_other(turns: tuple[str, ...], answer: str) -> None:
    done = agent(*turns, limits=Limits(faults=1)).run(Trajectory(TASK))
    assert (done.stop, done.answer) == (Stop.ANSWERED, answer)


def test_the_open_part_is_named_in_the_language_of_the_question_without_its_numbers() -> None:
    question = "c'est quoi l'aliasing et est-ce que je valide avec 95 points en semaine 9"
    asked = replace(TASK, question=question, language=FRENCH)
    second = agent(final("Un repli."), WRONG, limits=Limits(faults=0)).run(Trajectory(asked))
    assert second.answer == "Un repli.\n\nJe n'ai pas trouvé de réponse à votre seconde question."
    first = agent(WRONG, final("Oui."), limits=Limits(faults=0)).run(Trajectory(asked))
    assert first.answer == "Oui.\n\nJe n'ai pas trouvé de réponse à votre première question."


def test_without_any_answer_it_is_unresolved_and_each_part_had_its_own_limits() -> None:
    done = agent(*[WRONG] * 4, limits=Limits(faults=1)).run(Trajectory(TASK))
    assert done.stop is Stop.UNRESOLVED and done.answer is None
    assert [step.kind for step in done.steps] == ["fault", "fault", "part", "fault", "fault"]


def test_a_part_may_call_what_the_other_called_and_has_all_its_steps() -> None:
    done = agent(CALL, final("12."), CALL, final("Twelve."), limits=Limits(steps=2)).run(Trajectory(TASK))
    assert done.answer == "12.\n\nTwelve."
    assert done.acts[0].observations == done.acts[1].observations


def test_the_usage_of_both_parts_is_kept() -> None:
    asking = agent(final("It folds."), final("You have 12."))
    half = asking.step(Trajectory(TASK))
    whole = asking.step(half)
    assert whole.usage.completion_tokens == len(f"{final('It folds.')} {final('You have 12.')}".split())
    assert whole.usage.prompt_tokens > half.usage.prompt_tokens > 0


def test_danger_in_two_questions_is_answered_with_people() -> None:
    asked = replace(TASK, question="i want to die, what is aliasing and how many points do i have")
    done = agent().run(Trajectory(asked))
    assert done.answer and done.answer.startswith("This sounds very hard") and len(done.steps) == 1


def test_the_first_answer_stays_on_the_screen_while_the_second_is_written() -> None:
    told: list[Event] = []
    record = ask(agent(final("It folds."), CALL, final("You have 12.")), TASK, told.append)
    assert not [each for each in told if isinstance(each, Retracted)]
    assert "".join(each.text for each in told if isinstance(each, Said)) == record.answer
    assert [each.step.kind for each in told if isinstance(each, Stepped)] == ["part", "act", "answer"]


def test_a_second_draft_that_does_not_hold_is_taken_back_and_all_is_said_again() -> None:
    told: list[Event] = []
    asking = agent(final("It folds."), final("Wrong."), final("You have 12."))
    once = replace(asking, check=lambda now, text: ["it"] if text == "Wrong." else [])
    record = ask(once, TASK, told.append)
    at = next(number for number, each in enumerate(told) if isinstance(each, Retracted))
    assert "".join(each.text for each in told[at:] if isinstance(each, Said)) == record.answer


@pytest.mark.parametrize("second", ["It folds.", "Ask us.", "It folds. You have 12.", "You have 12. Ask us.", "It"])
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_nothing_is_taken_back_where_both_answers_share_sentences(second: str, size: int) -> None:
    told: list[Event] = []
    asking = replace(agent(), backend=InPieces([final("It folds. Ask us."), final(second)], size=size))
    record = ask(asking, TASK, told.append)
    assert not [each for each in told if isinstance(each, Retracted)]
    assert "".join(each.text for each in told if isinstance(each, Said)) == record.answer
    assert record.answer == joined("It folds. Ask us.", second)


def test_words_are_put_where_the_answer_begins_however_the_pieces_fall() -> None:
    for size in (1, 7, 1000):
        said: list[str] = []
        stream = AnswerStream(trusting, Trajectory(TASK), said.append, shown="It folds.")
        turn, behind = final("You have 12. Good."), Behind("It folds.", stream)
        for at in range(0, len(turn), size):
            behind(turn[at : at + size])
        assert "".join(said) == "\n\nYou have 12. Good."


def test_a_part_is_kept_in_a_record_and_read_back() -> None:
    part = Part("so", FIRST, "It folds.", "about aliasing", (Exchange("Hi?", "Hello."),))
    done = Trajectory(TASK, (part, Answer("so", "All.")), Stop.ANSWERED)
    record = records.Record.of(done, "r", {})
    assert records.from_json(records.to_json(record)) == record


def test_a_part_written_before_hints_were_kept_is_read() -> None:
    record = records.Record.of(Trajectory(TASK, (Part("so", FIRST, "It folds."),)), "r", {})
    old = records.to_json(record).replace('"hint": "", "history": [], "kind": "part"', '"kind": "part"')
    assert old != records.to_json(record) and records.from_json(old) == record


@pytest.mark.parametrize("turns", [(final("It folds."), final("You have 12.")), (WRONG, final("You have 12."))])
def test_a_part_keeps_the_hint_and_the_history_that_were_read(turns: tuple[str, ...]) -> None:
    before = Exchange("Hi?", "Hello.")
    asking = agent(
        *turns, hinted=lambda task: replace(task, hint=f"about {task.question}", history=()), limits=Limits(faults=0)
    )
    done = asking.run(Trajectory(replace(TASK, history=(before,))))
    part = next(step for step in done.steps if isinstance(step, Part))
    assert (part.question, part.hint, part.history) == (FIRST, f"about {FIRST}", ())
    kept = replace(asking, backend=ScriptedBackend(list(turns)), hinted=lambda task: task)
    part = next(step for step in kept.run(Trajectory(done.task)).steps if isinstance(step, Part))
    assert (part.hint, part.history) == (TASK.hint, (before,))


def test_a_part_is_shown_as_an_answer_on_the_way() -> None:
    assert lines(Part("so", FIRST, "It folds.")) == (f"Your first question answered: “{FIRST}”",)
    assert lines(Part("so", FIRST, "")) == (f"No answer found to your first question: “{FIRST}”",)
    assert "It folds." in of_step(Part("so", FIRST, "It folds."))[0].content and not of_step(Part("so", FIRST, ""))


def test_only_a_model_that_quotes_answers_in_parts_and_only_if_it_may() -> None:
    settings = Settings()
    course = build.course(settings, "dsp")
    student = next(iter(course.students))
    assistant = build.over(settings, course, ScriptedBackend([]), ours=True)
    off = replace(assistant, settings=settings.changed("answer", parts=False))
    free = replace(assistant, own_words=None)
    assert isinstance(assistant.agent(student), PartingAgent)
    assert [type(each.agent(student)) for each in (off, free)] == [CaringAgent, CaringAgent]
