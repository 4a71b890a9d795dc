"""The checks without a model: what they decide, what they leave open, and that they never pass for a judge."""

from collections.abc import Sequence

import pytest
from tools.reading.known_questions import asks, kinds

from eval.judge import intents
from eval.judge.local import VERSION, Checks
from eval.judge.work import Case
from scribe.grounding import Grounding, Lexicon
from scribe.records import Record
from tests.eval.judge.answered import record

CHECKS = Checks(lambda record: Grounding(Lexicon()), lambda record: record.task.hint)


def verdicts(each: Record) -> dict[str, str]:
    return {made.criterion: made.verdict for made in CHECKS.judge(Case("run", each))}


def test_a_good_answer_passes_all_and_relevance_is_left_out() -> None:
    assert verdicts(record()) == {
        "actionability": "yes",
        "correctness": "yes",
        "language": "yes",
        "tool_relevance": "yes",
    }


def test_every_line_says_that_no_judge_wrote_it() -> None:
    for made in CHECKS.judge(Case("run", record())):
        assert (made.judge, made.endpoint_model) == ("local", VERSION)
        assert made.reasoning.startswith("Scribe's check without a model, not the rubric's judge: ")


def test_a_number_from_nowhere_is_not_correct() -> None:
    made = {each.criterion: each for each in CHECKS.judge(Case("run", record("Week 6 takes 12 hours.")))}
    assert made["correctness"].verdict == "no"
    assert "the number 12" in made["correctness"].reasoning


@pytest.mark.parametrize(
    ("hint", "called", "verdict"),
    [
        ("what a week is about", "map_week_to_topic", "yes"),
        ("what a week is about", "grade_calculator", "no"),
        ("how the grade stands; or what a week is about", "map_week_to_topic", "yes"),
        ("how the grade stands, the same as before", "grade_calculator", "yes"),
        ("what the rules say on retakes", "get_course_syllabus", "yes"),
        ("", "map_week_to_topic", "unparsed"),
        ("something that nobody knows", "map_week_to_topic", "unparsed"),
        ("what a week is about", "web_search", "unparsed"),
        ("what a week is about; and how the grade stands", "map_week_to_topic", "no"),
        ("what a week is about; and small talk", "map_week_to_topic", "yes"),
        ("what a week is about, the same as before, a week later", "map_week_to_topic", "yes"),
    ],
)
def test_a_tool_fits_if_it_can_give_what_the_question_needs(hint: str, called: str, verdict: str) -> None:
    assert verdicts(record(hint=hint, called=called))["tool_relevance"] == verdict


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
def test_who_asks_how_to_improve_must_be_told_something_to_do(text: str, verdict: str) -> None:
    assert verdicts(record(text, hint="how to improve"))["actionability"] == verdict


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


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_of_question_has_an_entry(kind: str) -> None:
    hint = asks(kind, "retake") if kind == "syllabus" else asks(kind)
    found: Sequence[intents.Intent] = intents.of(hint)
    assert [each.kind for each in found] == [kind]


@pytest.mark.parametrize("hint", ["{one}; or {other}", "{one}; and {other}", "{one}; and {other}, about week 14, gone"])
def test_all_kinds_that_a_hint_names_are_read(hint: str) -> None:
    named = hint.format(one=asks("grade"), other=asks("concept"))
    assert [each.kind for each in intents.of(named)] == ["grade", "concept"]
