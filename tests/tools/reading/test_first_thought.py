"""A first thought begins with one of the hint's readings, as lessons do; without a clear hint it may begin anyhow."""

import pytest

from finetune.questions import Question
from finetune.trajectories.moves import Brief
from scribe.trajectory import Task
from tools.reading.first_thought import ONE, TWO, openings
from tools.reading.hints import AND, OR, worded
from tools.reading.known_questions import OF_TOPIC, READ, SAME, asks, kinds, known
from tools.task import NO_SUCH_WEEK


def hinted(hint: str) -> Task:
    return Task("dsp", "s001", "and that?", "", "", hint=hint)


def of(*readings: str) -> tuple[str, ...]:
    return (*(ONE + each for each in sorted(readings)), *(TWO + ONE + each for each in sorted(readings)))


def test_each_reading_of_a_hint_may_begin_the_thought_and_nothing_else() -> None:
    hint = OR.join((asks("concept"), asks("grade"), asks("syllabus", "late")))
    assert openings(hinted(hint)) == of(asks("concept"), asks("grade"), asks("syllabus", "late"))
    assert openings(hinted(AND.join((asks("grade"), asks("week_why"))))) == of(asks("grade"), asks("week_why"))


@pytest.mark.parametrize("behind", ["; here week 5, Aliasing; before week 4", f"{NO_SUCH_WEEK}17, which is none"])
def test_names_behind_the_readings_do_not_matter(behind: str) -> None:
    assert openings(hinted(asks("week_topics") + behind)) == of(asks("week_topics"))


def test_the_same_as_before_begins_with_what_that_was() -> None:
    assert openings(hinted(worded((asks("same_later"),), asks("week_why")))) == of(asks("week_why"))


@pytest.mark.parametrize("hint", ["", asks(SAME), f"{asks('concept')}{OR}{asks(SAME)}", "what nobody knows"])
def test_without_a_clear_hint_a_thought_begins_anyhow(hint: str) -> None:
    assert openings(hinted(hint)) == ()


def test_what_all_wordings_ask_is_found_whole_though_one_begins_as_another_does() -> None:
    for each in {one.asks for language in READ for one in known(False, language) if not one.leaning}:
        assert openings(hinted(f"{each}; here week 5"))[0] == ONE + each


def test_lessons_begin_so() -> None:
    for intent in (kind for kind in kinds() if kind != "syllabus"):
        thought = Brief(Question(intent, "?", {"week": 5}, wording="?"), "", 10, 5).asked("week 5")
        assert thought.startswith(openings(hinted(asks(intent)))[0])
    of_topic = Brief(Question("prerequisites", "?", {"topic": "FFT"}, wording="?"), "", 10, 5)
    assert of_topic.asked().startswith(openings(hinted(asks(OF_TOPIC)))[0])
