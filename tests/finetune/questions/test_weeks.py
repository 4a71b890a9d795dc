"""How a week is named in a question: right grammar in both languages, and always the same week."""

import random

import pytest

from finetune.questions import weeks
from finetune.questions.question import INTENTS
from scribe import figures
from tools.reading.known_questions import wordings

PLACED = random.Random(0)


@pytest.mark.parametrize(
    ("language", "wording", "said"),
    [
        ("en", "what is in week {week}?", "what is in week four?"),
        ("en", "my week {week} and the week {week} slides", "my week four and the week four slides"),
        ("en", "week {week}'s topics, weeks {week} and 5, w{week}", "week 4's topics, weeks 4 and 5, w4"),
        ("en", 'it says "week {week}"', 'it says "week 4"'),
        ("en", "the week {week} ones", "the week 4 ones"),
        ("fr", "En semaine {week}, la semaine {week}", "En semaine quatre, la semaine quatre"),
        ("fr", "module {week}, « semaine {week} à revoir »", "module 4, « semaine 4 à revoir »"),
    ],
)
def test_in_words(language: str, wording: str, said: str) -> None:
    assert weeks.in_words(wording, 4, language) == said


@pytest.mark.parametrize(
    ("language", "wording", "said"),
    [
        ("en", "what is in week {week}?", "what is in the fourth week?"),
        ("en", "why was my week {week} low, and in my week {week}?", "why was my week 4 low, and in my fourth week?"),
        ("en", "exercises of the week {week}", "exercises of the fourth week"),
        ("en", "for the week {week} quiz, for week {week} exercises", "for the week 4 quiz, for week 4 exercises"),
        ("en", "topics, week {week}", "topics, week 4"),
        ("fr", "En semaine {week} ?", "Pendant la quatrième semaine ?"),
        ("fr", "de la semaine {week}, dans ma semaine {week}", "de la quatrième semaine, dans ma quatrième semaine"),
        ("fr", "arriver en semaine {week} ; jusqu'en semaine {week}", "arriver en semaine 4 ; jusqu'en semaine 4"),
        ("fr", "exos semaine {week}", "exos semaine 4"),
    ],
)
def test_by_place(language: str, wording: str, said: str) -> None:
    assert weeks.by_place(wording, 4, 10, language, PLACED) == said


@pytest.mark.parametrize(
    ("language", "wording", "among"),
    [
        ("en", "the week {week} quiz", {"the wk 4 quiz", "the w4 quiz", "the week4 quiz", "the wk #4 quiz"}),
        ("en", "Week {week} now?", {"Wk 4 now?", "W4 now?", "Week #4 now?"}),
        ("fr", "en semaine {week}", {"en S4", "en s4", "en sem 4", "en sem. 4"}),
        ("fr", "Dans la semaine {week} ?", {"Dans la S4 ?", "Dans la sem. 4 ?"}),
        ("en", "weeks {week} and 5", {"weeks 4 and 5"}),
    ],
)
def test_shortened(language: str, wording: str, among: set[str]) -> None:
    assert {weeks.shortened(wording, 4, language, random.Random(seed)) for seed in range(60)} == among


@pytest.mark.parametrize(
    ("language", "wording", "among"),
    [
        ("en", "in week {week}", {"in the twelfth week", "in the final week", "in the last week of the course"}),
        ("en", "before week {week}", {"before the twelfth week", "before the last week"}),
        ("en", "in my week {week}", {"in my twelfth week"}),
        ("en", "not the last one, about week {week}", {"not the last one, about the twelfth week"}),
        ("fr", "en semaine {week}", {"pendant la douzième semaine", "pendant la dernière semaine du cours"}),
        ("fr", "avant la semaine {week}", {"avant la douzième semaine", "avant la dernière semaine"}),
    ],
)
def test_only_the_courses_last_week_is_the_last_and_never_the_week_just_over(
    language: str, wording: str, among: set[str]
) -> None:
    assert {weeks.by_place(wording, 12, 12, language, random.Random(seed)) for seed in range(60)} == among
    assert len({weeks.by_place(wording, 12, 13, language, random.Random(seed)) for seed in range(60)}) == 1


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_week_of_every_wording_stays_the_same(language: str) -> None:
    asked = [each for name in INTENTS for each in wordings(name, False, language) if "{week}" in each]
    assert len(asked) > 1000
    for number, wording in enumerate(asked):
        week = number % 12 + 1
        digits = figures.weeks(wording.replace("{week}", str(week)))
        assert figures.weeks(weeks.in_words(wording, week, language)) == digits
        placed = weeks.by_place(wording, week, 99, language, PLACED)
        read = digits if language == "fr" else digits - {week}
        assert read <= figures.weeks(placed) <= digits
        assert "{week}" not in placed + weeks.shortened(wording, week, language, PLACED)


@pytest.mark.parametrize(("language", "digits"), [("en", "in week 3"), ("fr", "en semaine 3"), ("de", "in week 3")])
def test_mostly_in_digits(language: str, digits: str) -> None:
    draw, wording = random.Random(1), digits.replace("3", "{week}")
    said = [weeks.named(wording, 3, 10, language, draw) for _ in range(3000)]
    assert 0.78 < said.count(digits) / len(said) < 0.86
    assert len(set(said)) == 7  # digits, words, a place and four short ways


@pytest.mark.parametrize("week", [0, 11, 14])
def test_a_week_that_the_course_lacks_is_a_number(week: int) -> None:
    assert {weeks.named("in week {week}", week, 10, "en", PLACED) for _ in range(200)} == {f"in week {week}"}


def test_a_week_without_a_word_is_a_number() -> None:
    assert weeks.in_words("en semaine {week}", 1, "fr") == "en semaine 1"
    assert weeks.in_words("in week {week}", 13, "en") == weeks.by_place("in week {week}", 13, 14, "en", PLACED)
