"""A model that goes on with the sentences that stand: only what follows a false one is drawn anew."""

from dataclasses import replace
from typing import Any

from scribe.agent import Agent, Limits
from scribe.backend import Completion, Sampling
from scribe.grounding import Grounding, Lexicon
from scribe.messages import Message
from scribe.plumbing.errors import ContextFull
from scribe.tool import Identity, Toolbox
from scribe.trajectory import Answer, Stop, Trajectory
from tests.scribe.scene import Scene, answer, call, trajectory
from tests.scribe.scripted import ScriptedBackend

GROUNDED = Grounding(Lexicon())


def kinds(ended: Trajectory) -> list[str]:
    return [step.kind for step in ended.steps]


def going_on(*turns: str) -> tuple[Trajectory, ScriptedBackend]:
    """What comes of these turns, the model going on with what stands, and the model, which remembers its prompts."""
    scene = Scene(turns, GROUNDED)
    return replace(scene.agent, goes_on=True).run(trajectory("How was I?")), scene.backend


SOUND = " I see. [END_OF_REASONING]\n[FINAL_ANSWER]In week 2 you watched 12 videos."


def test_the_sentences_before_a_false_one_stay_and_only_the_rest_is_drawn_anew() -> None:
    end = "[END_OF_FINAL_ANSWER]"
    ended, backend = going_on(f"{SOUND} You watched 99 videos.{end}", f" The class 20.{end}")
    assert ended.answer == "In week 2 you watched 12 videos. The class 20."
    assert kinds(ended) == ["fault", "answer"]
    assert backend.prompts[1] == (*backend.prompts[0], Message("assistant", f"[REASONING]{SOUND}", open=True))
    assert [made and made.begun for made in backend.constraints] == ["", SOUND]


def test_a_sentence_that_stays_false_is_left_out_and_what_stands_is_the_answer() -> None:
    false = " You watched 99 videos.[END_OF_FINAL_ANSWER]"
    ended, _ = going_on(SOUND + false, false, false)
    assert (ended.answer, kinds(ended)) == ("In week 2 you watched 12 videos.", ["fault", "fault", "answer"])
    assert isinstance(ended.steps[-1], Answer) and ended.steps[-1].thought == "I see."


def test_each_sentence_has_its_own_drafts() -> None:
    false, end = " You watched 99 videos.", "[END_OF_FINAL_ANSWER]"
    ended, _ = going_on(SOUND + false + end, false + end, " The class 20." + false + end, false + end, " Good." + end)
    assert ended.answer == "In week 2 you watched 12 videos. The class 20. Good."


def test_where_no_sentence_stands_the_turn_begins_anew_and_then_the_model_is_told() -> None:
    ended, backend = going_on(*[answer("You have 99 points.")] * 3, SOUND + "[END_OF_FINAL_ANSWER]")
    assert ended.answer == "In week 2 you watched 12 videos."
    assert [step.told for step in ended.faults] == [False, False, True]
    assert [len(prompt) for prompt in backend.prompts] == [2, 2, 2, 4]


def test_a_figure_that_the_model_is_not_certain_of_is_drawn_anew_and_last_of_all_only_checked() -> None:
    drawn: list[float] = []

    class ScriptedDoubt(ScriptedBackend):
        def complete(self, prompt: Any, sampling: Sampling, *rest: Any) -> Completion:
            drawn.append(sampling.certainty)
            return replace(super().complete(prompt, sampling, *rest), finish="unsure" if sampling.certainty else "stop")

    model = ScriptedDoubt([SOUND + " You had", " The class", " Your", " The class 20.[END_OF_FINAL_ANSWER]"])
    box = Toolbox((), Identity("s1", "dsp"))
    agent = Agent(model, box, GROUNDED, limits=Limits(redraws=3), sampling=Sampling(certainty=0.4), goes_on=True)
    assert agent.run(trajectory("How was I?")).answer == "In week 2 you watched 12 videos. The class 20."
    assert drawn == [0.4, 0.4, 0.4, 0.0]


def test_a_list_that_breaks_off_is_no_answer() -> None:
    end = "[END_OF_FINAL_ANSWER]"
    false = " You watched 99 videos." + end
    ended, _ = going_on(SOUND + " Next steps:\n1." + false, false, false)
    assert ended.answer == "In week 2 you watched 12 videos."


def test_nothing_stands_behind_a_line_that_was_never_said() -> None:
    look = call("map_week_to_topic", week=3)
    misquoted = " > title: Filters\n[END_OF_REASONING]\n[FINAL_ANSWER]It is fine."
    ended, _ = going_on(look, *[misquoted] * 3, " I see. [END_OF_REASONING][FINAL_ANSWER]Fine.[END_OF_FINAL_ANSWER]")
    assert ended.answer == "Fine."
    assert all(not fault.standing for fault in ended.faults)


def test_lines_may_be_quoted_behind_a_result_only() -> None:
    _, backend = going_on(call("map_week_to_topic", week=3), answer("It is about Fourier analysis."))
    assert [bool(made and made.lines) for made in backend.constraints] == [False, True]


def test_where_the_context_is_full_what_stands_is_the_answer() -> None:
    class ScriptedShort(ScriptedBackend):
        def complete(self, prompt: Any, sampling: Sampling, *rest: Any) -> Completion:
            if self.prompts:
                raise ContextFull(9, 9)
            return super().complete(prompt, sampling, *rest)

    model = ScriptedShort([SOUND + " You watched 99 videos.[END_OF_FINAL_ANSWER]"])
    agent = Agent(model, Toolbox((), Identity("s1", "dsp")), GROUNDED, goes_on=True)
    ended = agent.run(trajectory("How was I?"))
    assert (ended.stop, ended.answer) == (Stop.ANSWERED, "In week 2 you watched 12 videos.")


def test_a_model_that_knows_its_tools_is_not_told_them() -> None:
    scene = Scene([answer("Fine.")])
    replace(scene.agent, by_heart=True).run(trajectory())
    system = scene.backend.prompts[0][0].content
    assert "map_week_to_topic" not in system and "map_week_to_topic" in scene.agent.listing
