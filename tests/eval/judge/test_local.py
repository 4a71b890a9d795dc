"""The checks without a model: what they decide, what they leave open, and that they never pass for a judge."""

import pytest

from eval.judge.items import JudgeCase
from eval.judge.local import CRITERIA, VERSION, LocalChecks
from scribe.grounding import Grounding, Lexicon
from scribe.records import Record
from tests.eval.judge.answered import record

CHECKS = LocalChecks(lambda record: Grounding(Lexicon()))


def verdicts(each: Record) -> dict[str, str]:
    return {made.criterion: made.verdict for made in CHECKS.judge(JudgeCase("run", each))}


def test_a_good_answer_passes_all_that_can_be_decided_without_a_model() -> None:
    assert verdicts(record()) == dict.fromkeys(CRITERIA, "yes")


@pytest.mark.parametrize("called", ["map_week_to_topic", "grade_calculator", "web_search"])
def test_whether_a_tool_fits_the_question_is_left_to_a_judge(called: str) -> None:
    assert not {"tool_relevance", "relevance"} & verdicts(record(called=called)).keys()


def test_every_line_says_that_no_judge_wrote_it() -> None:
    for made in CHECKS.judge(JudgeCase("run", record())):
        assert (made.judge, made.endpoint_model) == ("local", VERSION)
        assert made.reasoning.startswith("Scribe's check without a model, not the rubric's judge: ")


def test_a_number_from_nowhere_is_not_correct() -> None:
    made = {each.criterion: each for each in CHECKS.judge(JudgeCase("run", record("Week 6 takes 12 hours.")))}
    assert made["correctness"].verdict == "no"
    assert "the number 12" in made["correctness"].reasoning


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Start with the first exercise.", "yes"),
        ("It was the quizzes. To improve, watch the videos before the quiz.", "yes"),
        ("You could spread your sessions over the week.", "yes"),
        ("Commencez par les exercices.", "yes"),
        ("It was a difficult week, and the quizzes were few.", "no"),
    ],
)
def test_advice_is_seen_by_its_form(text: str, verdict: str) -> None:
    assert verdicts(record(text))["actionability"] == verdict


@pytest.mark.parametrize(
    ("text", "language", "verdict"),
    [
        ("Your sessions were short and few.", "English", "yes"),
        ("Yuor sesions wehre shrot adn fwe tihs weke.", "English", "no"),
        ("Vos séances étaient courtes et peu nombreuses.", "French", "yes"),
        ("Vso sénces étient curtes et puo nombruses.", "French", "no"),
        ("Vaše relace byly krátké.", "Czech", "unparsed"),
    ],
)
def test_spelling_is_looked_up_in_the_list_of_the_language(text: str, language: str, verdict: str) -> None:
    assert verdicts(record(text, language=language))["language"] == verdict
