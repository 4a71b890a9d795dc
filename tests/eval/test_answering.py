"""Measuring asks as serving does."""

from eval.answering import QuestionAnswerer
from eval.questions import WrittenQuestion
from scribe.trajectory import Exchange, Trajectory
from tests.scribe.scripted import ScriptedBackend
from tools.assembly.assistant import assemble, find_course
from tools.assembly.settings import AssistantSettings

ANSWER = " I know. [END_OF_REASONING]\n[FINAL_ANSWER]That is all.[END_OF_FINAL_ANSWER]"


def test_the_prompt_of_a_measured_question_is_that_of_the_chat() -> None:
    earlier = (Exchange("what is in week 3?", "Vectors."),)
    asked = WrittenQuestion("q", "dsp", "s033", "ac", "and week 4?", (), "course", earlier)
    measured, served = ScriptedBackend((ANSWER,)), ScriptedBackend((ANSWER,))
    shown: list[str] = []
    done = QuestionAnswerer(AssistantSettings(), measured, [asked]).answer(asked, shown.append)
    assistant = assemble(AssistantSettings(), find_course(AssistantSettings(), "dsp"), served)
    assistant.agent("s033").run(Trajectory(assistant.task("s033", asked.question, "ac", earlier)))
    assert measured.prompts == served.prompts != []
    assert "".join(shown) == done.answer == "That is all."
