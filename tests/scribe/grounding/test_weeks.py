"""Weeks are found however English and French write them."""

import pytest

from scribe.grounding.weeks import find_weeks, weeks


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
    ("text", "named"),
    [
        ("semaine 5", {5}),
        ("semaines 3 et 4", {3, 4}),
        ("les semaines 2, 3 ou 5", {2, 3, 5}),
        ("de la semaine 3 à la semaine 6", {3, 4, 5, 6}),
        ("de la semaine 3 jusqu'à la semaine 5", {3, 4, 5}),
        ("la semaine trois", {3}),
        ("la 5e semaine, la 6ème semaine et la 1re semaine", {1, 5, 6}),
        ("la cinquième semaine", {5}),
        ("la semaine dernière et la semaine prochaine", set()),
        ("en semaine 5 à 18 heures", {5}),
        ("la semaine 5 et 12 vidéos", {5}),
        ("chaque semaine 3 heures, par semaine 12 clics", set()),
        ("en semaine deux fois par jour", set()),
        ("the week 5 quiz", {5}),
    ],
)
def test_weeks_are_read_as_french_writes_them(text: str, named: set[int]) -> None:
    assert weeks(text) == named


def test_a_week_is_found_where_it_stands() -> None:
    assert find_weeks("In week 3 and en semaine 5") == ((3, 9, frozenset({3})), (17, 26, frozenset({5})))
