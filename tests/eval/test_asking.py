"""Measuring asks as serving does."""

from eval.asking import Asking, Written
from scribe.backend import ScriptedBackend

ANSWER = " I know. [END_OF_REASONING]\n[FINAL_ANSWER]That is all.[END_OF_FINAL_ANSWER]"


def test_the_hint_names_what_the_question_does_and_the_week_that_there_is_not() -> None:
    asking = Asking(ScriptedBackend((ANSWER, ANSWER)), own_words=None)
    questions = ("what is in week 14", "exercises on aliassing please")
    asked = [Written("q", "dsp", "s033", "nr", each, (), "course") for each in questions]
    beyond, misspelt = (asking.answer(each).task.hint for each in asked)
    assert ", about week 14, which this course does not have" in beyond
    assert misspelt.endswith("; here Aliasing")
