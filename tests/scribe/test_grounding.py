"""The check of an answer: what it covers is vetoed when nothing supports it, and passes when something does."""

from dataclasses import replace

import pytest

from scribe.figures import numbers, weeks
from scribe.grounding import Grounding, Lexicon
from scribe.trajectory import Act, Call, Exchange, Observation, Trajectory
from tests.scribe.scene import task

LEXICON = Lexicon(
    features=(
        ("time on videos", "VideoTime", "watching time"),
        ("time on videos at the weekend", "VideoTimeWeekend"),
        ("delay before lectures", "DelayLecture"),
    ),
    topics=(("DFT",), ("Ideal filters", "Filtres idéaux"), ("Filters",)),
)
CHECK = Grounding(LEXICON)
REPORT = "In week 2 your VideoTime was 1,250 minutes, the class 980.50. You passed 7 quizzes."


def known(question: str = "How was I?", *heard: str, **more: object) -> Trajectory:
    observed = tuple(Observation(True, text) for text in heard)
    calls = tuple(Call("f") for _ in heard)
    start = Trajectory(replace(task(question, REPORT), about="DSP has weeks 1 to 4.", **more))  # type: ignore[arg-type]  # any field
    return start.then(Act("", calls, observed)) if heard else start


def complaints(answer: str, question: str = "How was I?", *heard: str) -> list[str]:
    return list(CHECK(known(question, *heard), answer))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("In week 5 and Week 12", {5, 12}),
        ("weeks 6 to 8", {6, 7, 8}),
        ("weeks 1, 2 and 4", {1, 2, 4}),
        ("weeks 3-5, wk 9, WEEK-10", {3, 4, 5, 9, 10}),
        ("week 2 and week 4", {2, 4}),
        ("from week 2 until week 4", {2, 3, 4}),
        ("la semaine 5, les semaines 6 à 8", {5, 6, 7, 8}),
        ("week five, week twelve", {5, 12}),
        ("In week 5, 12 videos were watched", {5}),
        ('{"week": 4, "weeks": [6, 7], "first_week": 9}', {4, 6, 7, 9}),
        ("5 quizzes a week, weekly 7", set()),
        ("weeks 1 to 999999999", {*range(1, 62), 999999999}),
        ("week " + "9" * 5000, {999999999}),
    ],
)
def test_weeks_are_found_however_they_are_written(text: str, named: set[int]) -> None:
    assert weeks(text) == named


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1,250 and 1250", {"1250"}),
        ("3.50 or 3.5 or 3,5", {"3.5"}),
        ("007 and 0", {"7", "0"}),
        ("12, 13 and 14.", {"12", "13", "14"}),
        ("1. first\n 2) second", set()),
        ("88%", {"88"}),
        ("1,234,567.0", {"1234567"}),
        ("exercise x-03-12", {"3", "12"}),
    ],
)
def test_numbers_have_one_spelling(text: str, written: set[str]) -> None:
    assert numbers(text) == written


@pytest.mark.parametrize(
    "answer",
    [
        "In week 2 you watched 1250 minutes and the class 980.5.",
        "In week 2, 7 quizzes went well. The course has weeks 1 to 4.",
        "Your watching time was 1250 minutes.",
        "1. Your VideoTime.\n2. Your quizzes.\n3. More of it.",
        "You did well, keep going!",
    ],
)
def test_what_the_report_or_the_course_says_passes(answer: str) -> None:
    assert complaints(answer) == []


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("Look at week 7.", ["week 7"]),  # seven quizzes do not make a week
        ("Look at weeks 3 to 6.", ["week 3", "week 5", "week 6"]),
        ("You watched 1251 minutes.", ["the number 1251"]),
        ("You watched 125 minutes.", ["the number 125"]),
        ("In week 2, 12 quizzes went well.", ["the number 12"]),
        ("Mind the DelayLecture.", ["“DelayLecture”"]),
        ("Mind your time on videos at the weekend.", ["“time on videos at the weekend”"]),
        ("The dft is fine, the DFT is not.", ["“DFT”"]),
        ("Learn ideal filters.", ["“Ideal filters”"]),
        ("Week 9 has 55 filters.", ["week 9", "the number 55", "“Filters”"]),
    ],
)
def test_what_nothing_says_is_named(answer: str, complaint: list[str]) -> None:
    assert complaints(answer) == complaint


def test_an_observation_supports_and_so_does_a_refused_one() -> None:
    answer = "Week 9 has 55 exercises on ideal filters."
    assert complaints(answer, "Q?", '{"week": 9, "exercises": 55}', '{"topic": "Ideal filters"}') == []


def test_the_line_on_the_course_supports_its_own_words_and_no_week_between() -> None:
    assert complaints("The course has weeks 1 to 4, and week 4 is the last.") == []
    assert complaints("In week 3 you did well.") == ["week 3"]


def test_a_tool_that_only_repeats_what_it_was_asked_supports_nothing() -> None:
    act = Act("", (Call("f", {"query": "55 points in week 9"}),), (Observation(True, ""),))
    repeated = Observation(True, '{"no_data": "Nothing on 55 points in week 9."}')
    told = Observation(True, '{"says": "For 55 points in week 9 see week 8, 44 points."}')
    answer = "You got 55 points in week 9, and 44 in week 8."
    unsupported, half = (
        CHECK(known().then(replace(act, observations=(said,))), answer) for said in (repeated, told)
    )
    assert unsupported == ("week 8", "week 9", "the number 44", "the number 55")
    assert half == ("week 9", "the number 55")


def test_a_week_that_was_asked_for_is_supported_by_what_is_known_of_it() -> None:
    act = Act("", (Call("f", {"week": 3}),), (Observation(True, '{"week": 3, "title": "Filters"}'),))
    assert CHECK(known().then(act), "Week 3 is about filters.") == ()


def test_names_may_come_from_the_question_but_weeks_and_numbers_may_not() -> None:
    question = "Does DelayLecture in week 9 matter for 55 points in the DFT?"
    assert complaints("DelayLecture and the DFT matter.", question) == []
    assert complaints("Week 9 matters, 55 points.", question) == ["week 9", "the number 55"]


def test_earlier_answers_lend_their_names_but_not_their_numbers() -> None:
    earlier = known("And?", history=(Exchange("DFT?", "Your delay before lectures was 33 hours in week 8."),))
    assert CHECK(earlier, "Mind your delay before lectures and the DFT.") == ()
    assert CHECK(earlier, "It was 33 hours in week 8.") == ("week 8", "the number 33")


def test_part_of_a_longer_word_is_no_name() -> None:
    assert complaints("Unfiltered filtersets and DFTs.") == []


def test_a_topic_is_supported_under_its_other_name() -> None:
    assert not complaints("Read about ideal filters.", "Que sont les filtres idéaux ?")
    assert complaints("Read about ideal filters.", "Que sont les filtres ?") == ["“Ideal filters”"]
