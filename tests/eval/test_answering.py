"""Measuring asks as serving does."""

from app import build
from app.settings import Settings
from eval.answering import QuestionAnswerer
from eval.questions import WrittenQuestion
from scribe.backend import ScriptedBackend
from scribe.trajectory import Exchange, Trajectory

ANSWER = " I know. [END_OF_REASONING]\n[FINAL_ANSWER]That is all.[END_OF_FINAL_ANSWER]"


def test_the_prompt_of_a_measured_question_is_that_of_the_chat() -> None:
    earlier = (Exchange("what is in week 3?", "Vectors."),)
    asked = WrittenQuestion("q", "dsp", "s033", "ac", "and week 4?", (), "course", earlier)
    measured, served = ScriptedBackend((ANSWER,)), ScriptedBackend((ANSWER,))
    QuestionAnswerer(measured, by_heart=True).answer(asked)
    assistant = build.assemble(Settings(), build.course(Settings(), "dsp"), served)
    assistant.agent("s033").run(Trajectory(assistant.task("s033", asked.question, "ac", earlier)))
    assert measured.prompts == served.prompts != []
