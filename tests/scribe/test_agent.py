"""The loop: one question from its first turn to the reason it ended."""

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from scribe.agent import SECOND_TRY, Agent, Limits
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.grounding import Grounding, Lexicon
from scribe.messages import Message
from scribe.plumbing.errors import BackendError, ContextFull
from scribe.tool import Identity, Toolbox
from scribe.trajectory import Act, Answer, Fault, Stop, Trajectory
from scribe.transcript import to_messages
from tests.scribe.scene import Scene, answer, call, task, trajectory
from tests.scribe.scripted import ScriptedBackend

LOOK = call("map_week_to_topic", week=3)
BOTH = LOOK + '[TOOL_CALL]{"name": "grade_calculator", "arguments": {}}[END_OF_TOOL_CALL]'
SAY = answer("It is about Fourier analysis.")
NOTHING = " I do not know what to do."
GROUNDED = Grounding(Lexicon())


def kinds(ended: Trajectory) -> list[str]:
    return [step.kind for step in ended.steps]


def test_a_question_is_answered_from_what_a_tool_said() -> None:
    scene = Scene([LOOK, SAY])
    ended = scene.agent.run(trajectory())
    assert ended.stop is Stop.ANSWERED
    assert ended.answer == "It is about Fourier analysis."
    act, said = ended.steps
    assert isinstance(act, Act) and isinstance(said, Answer)
    assert json.loads(act.observations[0].content) == {"week": 3, "title": "Fourier analysis"}
    assert (act.thought, said.thought) == ("I look it up.", "I know it.")
    assert scene.backend.prompts[1][-1] == Message("tool", "week: 3\ntitle: Fourier analysis")


def test_several_calls_in_one_turn_are_answered_in_their_order() -> None:
    act = Scene([BOTH, SAY]).agent.run(trajectory()).acts[0]
    assert [made.name for made in act.calls] == ["map_week_to_topic", "grade_calculator"]
    assert "Fourier" in act.observations[0].content and "41 of 60" in act.observations[1].content


def test_each_prompt_begins_with_the_one_before_whatever_happened_between() -> None:
    turns = [BOTH, NOTHING, call("week_topics", week=3), LOOK, call("exercise_search"), SAY]
    scene = Scene(turns)
    ended = scene.agent.run(trajectory())
    assert kinds(ended) == ["act", "fault", "act", "act", "act", "answer"]
    prompts = [*scene.backend.prompts, to_messages(ended, scene.tools.box.listing)]
    for shorter, longer in itertools.pairwise(prompts):
        assert longer[: len(shorter)] == shorter
    alike = [len(shorter) == len(longer) for shorter, longer in itertools.pairwise(prompts)]
    assert alike.count(True) == 1  # the turn that was drawn anew


def test_a_step_leaves_its_trajectory_as_it_was_and_an_ended_one_alone() -> None:
    scene, start = Scene([LOOK, SAY]), trajectory()
    walked = list(scene.agent.walk(start))
    assert start.steps == () and walked[0].steps == walked[1].steps[:1]
    assert [each.stop for each in walked] == [None, Stop.ANSWERED]
    assert scene.agent.step(walked[-1]) is walked[-1]
    assert list(scene.agent.walk(walked[-1])) == []


def test_a_walk_goes_on_from_any_trajectory() -> None:
    half = Scene([LOOK]).agent.step(trajectory())
    whole = Scene([LOOK, SAY]).agent.run(trajectory())
    resumed = Scene([SAY]).agent.run(half)
    assert (resumed.steps, resumed.stop) == (whole.steps, whole.stop)


def test_usage_adds_up_over_all_turns_faulty_ones_too() -> None:
    ended = Scene([LOOK, NOTHING, SAY]).agent.run(trajectory())
    assert ended.usage.completion_tokens == sum(len(turn.split()) for turn in (LOOK, NOTHING, SAY))
    assert ended.usage.prompt_tokens > 3 * 100


def test_a_model_that_repeats_the_opener_is_understood() -> None:
    ended = Scene([f"[REASONING]{LOOK}", f"\n[REASONING]{SAY}"]).agent.run(trajectory())
    assert kinds(ended) == ["act", "answer"]
    assert ended.acts[0].thought == "I look it up."


def test_an_unknown_tool_is_an_observation_that_names_the_known_ones() -> None:
    ended = Scene([call("map_week", week=3), SAY]).agent.run(trajectory())
    refused = ended.acts[0].observations[0]
    assert not refused.ok and ended.stop is Stop.ANSWERED
    assert "Did you mean map_week_to_topic?" in refused.content and "grade_calculator" in refused.content


def test_the_same_call_again_returns_what_it_returned_with_a_reminder() -> None:
    scene = Scene([LOOK, call("map_week_to_topic", "Again.", week=3), SAY])
    ended = scene.agent.run(trajectory())
    first, again = (act.observations[0].content for act in ended.acts)
    assert scene.tools.ran == [("map_week_to_topic", 3)]
    told = json.loads(again)
    assert "already" in told.pop("reminder") and told == json.loads(first)


def test_another_argument_is_another_call() -> None:
    scene = Scene([LOOK, call("map_week_to_topic", week=2), call("map_week_to_topic", week=1), SAY])
    ended = scene.agent.run(trajectory())
    assert [week for _, week in scene.tools.ran] == [3, 2, 1]
    assert not any("reminder" in act.observations[0].content for act in ended.acts)


def test_after_the_same_call_three_times_only_an_answer_is_possible() -> None:
    scene = Scene([LOOK, LOOK, LOOK, call("grade_calculator"), SAY])
    ended = scene.agent.run(trajectory())
    allowed = [constraint.allow for constraint in scene.backend.constraints if constraint]
    assert allowed == [{"call", "answer"}] * 3 + [{"answer"}] * 2
    assert kinds(ended) == ["act", "act", "act", "fault", "answer"]
    assert "No more tool calls" in ended.faults[0].complaint
    assert ("grade_calculator",) not in scene.tools.ran


def test_the_last_step_is_kept_for_an_answer() -> None:
    turns = [call("exercise_search", query=f"subject {n}") for n in range(3)]
    scene = Scene([*turns, turns[0]], limits=Limits(steps=4))
    ended = scene.agent.run(trajectory())
    assert kinds(ended) == ["act", "act", "act", "fault"]
    assert (ended.stop, ended.answer) == (Stop.UNRESOLVED, None)
    assert Scene([*turns, SAY], limits=Limits(steps=4)).agent.run(trajectory()).stop is Stop.ANSWERED


def test_faults_up_to_the_limit_are_forgiven_and_one_more_is_not() -> None:
    assert Scene([NOTHING] * 3 + [SAY]).agent.run(trajectory()).stop is Stop.ANSWERED
    ended = Scene([LOOK, *[NOTHING] * 4, SAY]).agent.run(trajectory())
    assert ended.stop is Stop.UNRESOLVED
    assert kinds(ended) == ["act"] + ["fault"] * 4
    assert "Fourier" in ended.acts[0].observations[0].content


def test_a_turn_without_call_or_answer_is_told_the_format() -> None:
    ended = Scene([NOTHING, SAY]).agent.run(trajectory())
    fault = ended.steps[0]
    assert isinstance(fault, Fault)
    assert fault.raw == f"[REASONING]{NOTHING}"
    assert "[TOOL_CALL]{...}[END_OF_TOOL_CALL]" in fault.complaint and "neither" in fault.complaint


def test_a_turn_that_was_cut_off_is_a_fault_even_if_it_reads_like_an_answer() -> None:
    ended = Scene([SAY] * 4, finish="length").agent.run(trajectory())
    assert kinds(ended) == ["fault"] * 4
    assert "cut off after 512 tokens" in ended.faults[0].complaint


def test_a_turn_in_a_circle_is_told_so() -> None:
    ended = Scene([SAY] * 4, finish="circle").agent.run(trajectory())
    assert kinds(ended) == ["fault"] * 4
    assert "over and over" in ended.faults[0].complaint


def test_an_unsupported_claim_goes_back_to_the_model_by_name() -> None:
    bold = answer("In week 7 you watched 99 videos.")
    scene = Scene([bold, answer("In week 2 you watched 12 videos.")], GROUNDED, limits=Limits(redraws=0))
    ended = scene.agent.run(trajectory("How was I?"))
    assert ended.answer == "In week 2 you watched 12 videos."
    assert "week 7, the number 99" in ended.faults[0].complaint
    assert scene.backend.prompts[1][-1].content.startswith("[ERROR_NOTICE]")


def test_a_claim_insisted_on_never_reaches_the_student() -> None:
    ended = Scene([LOOK, *[answer("You have 99 points.")] * 4], GROUNDED).agent.run(trajectory())
    assert (ended.stop, ended.answer) == (Stop.UNRESOLVED, None)
    assert kinds(ended) == ["act"] + ["fault"] * 4


def test_what_a_tool_said_supports_the_answer() -> None:
    turns = [answer("You have 41 points."), call("grade_calculator"), answer("You have 41 points.")]
    ended = Scene(turns, GROUNDED).agent.run(trajectory("My grade?"))
    assert kinds(ended) == ["fault", "act", "answer"]


def test_a_reader_who_goes_away_cancels_and_adds_no_step() -> None:
    heard: list[str] = []

    def leave(text: str) -> bool:
        heard.append(text)
        return len(heard) < 2

    ended = list(Scene([LOOK, SAY]).agent.walk(trajectory(), leave))[-1]
    assert (ended.stop, kinds(ended), ended.answer) == (Stop.CANCELLED, ["act"], None)
    assert heard == [LOOK, SAY]


@dataclass(frozen=True, slots=True)
class ScriptedFullBackend:
    """A model whose context holds no prompt of more than four messages."""

    info: Mapping[str, str]

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        if len(prompt) >= 4:
            raise ContextFull(5000, 4096)
        return Completion(LOOK)


def test_a_full_context_ends_the_question_and_keeps_what_was_found() -> None:
    agent = Agent(ScriptedFullBackend({}), Scene([]).tools.box, GROUNDED)
    ended = agent.run(trajectory())
    assert (ended.stop, kinds(ended)) == (Stop.CONTEXT_FULL, ["act"])


def test_what_is_wrong_with_the_world_is_raised_and_not_told_to_the_model() -> None:
    with pytest.raises(BackendError, match="only 1 turns"):
        Scene([LOOK]).agent.run(trajectory())


def test_the_model_is_told_whose_text_it_reads() -> None:
    owners = []
    for course, student in (("dsp", "s1"), ("dsp", "s2"), ("dsp/s1", ""), ('d","s', "1"), ("d", 's","1')):
        scene = Scene([SAY])
        scene.agent.run(Trajectory(replace(trajectory().task, course=course, student=student)))
        owners += scene.backend.owners
    assert owners[2] == ""
    assert len(set(owners)) == 5


def test_after_a_fault_the_next_turn_is_drawn_with_some_chance_and_another_seed() -> None:
    drawn: list[Sampling] = []

    class ScriptedDraws(ScriptedBackend):
        def complete(self, prompt: Any, sampling: Sampling, *rest: Any) -> Completion:
            drawn.append(sampling)
            return super().complete(prompt, sampling, *rest)

    turns = ("no marker", "none either", "Well. [END_OF_REASONING][FINAL_ANSWER]Hello.[END_OF_FINAL_ANSWER]")
    done = Agent(ScriptedDraws(turns), Toolbox((), Identity("s1", "dsp")), GROUNDED).run(Trajectory(task("Hi?", "")))
    assert done.stop is Stop.ANSWERED
    assert [one.temperature for one in drawn] == [0.0, SECOND_TRY, SECOND_TRY]
    assert len({one.seed for one in drawn}) == 3


def test_the_first_faults_in_a_row_are_drawn_anew_and_only_later_ones_told() -> None:
    prompts: list[int] = []

    class ScriptedPrompts(ScriptedBackend):
        def complete(self, prompt: Any, *rest: Any) -> Completion:
            prompts.append(len(prompt))
            return super().complete(prompt, *rest)

    good = "Well. [END_OF_REASONING][FINAL_ANSWER]Hello.[END_OF_FINAL_ANSWER]"
    box = Toolbox((), Identity("s1", "dsp"))
    agent = Agent(ScriptedPrompts(("no marker", "none", "none", good)), box, GROUNDED, limits=Limits(redraws=2))
    done = agent.run(Trajectory(task("Hi?", "")))
    assert kinds(done) == ["fault"] * 3 + ["answer"]
    assert prompts == [2, 2, 2, 4]  # the third fault and its notice are the first that the model reads
