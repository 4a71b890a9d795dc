"""What the catalogue tells students about their values is what the features compute."""

import re

import pytest

from data.catalogue import Catalogue, load_catalogue
from tests.data.features.scene import features

WEEK = """
    Mon 10:00:00 problem.check p1 0.5
    Mon 10:01:00 problem.check p1 1
    Mon 10:02:00 video.play v1
    Mon 10:03:00 video.seek v1 30
    Mon 10:04:00 video.speed v1 1.5
    Mon 10:05:00 video.pause v1
    Mon 10:06:00 video.play v1
    Sat 10:00:00 page.view start
"""
"""One session, one jump, one pause and one problem tried twice."""
MORE_SESSIONS = """
    Wed 10:00:00 page.view start
    Wed 10:01:00 page.view start
    Wed 10:02:00 page.view start
    Thu 10:00:00 page.view start
    Thu 10:01:00 video.load v2
    Thu 10:02:00 video.play v2
"""


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def test_an_idle_week_lacks_exactly_the_values_that_its_texts_explain(catalogue: Catalogue) -> None:
    """Week 2 plans problems but no videos, and after it come videos but no problems."""
    explained = re.compile(r"You |No time |That week had no videos|There are no quiz problems")
    idle = features("Mon 10:00:00 video.play v1", week=2)
    assert {one.name for one in catalogue} - idle.keys() == {
        one.name for one in catalogue if explained.match(one.missing)
    }
    assert set(idle.values()) == {0.0}


@pytest.mark.parametrize(
    ("text", "deed"),
    [
        ("no study session", "10:0[1-9]"),
        ("fewer than three study sessions", "Wed"),
        ("no activity on the weekend", "Sat"),
        ("no time with a playing video", "video.play"),
        ("no jump of known length", "video.seek"),
        ("no pause of at most an hour", "video.pause"),
        ("nothing faster than normal", "video.speed"),
        ("none of the videos", "video"),
        ("no graded quiz problem", "problem"),
        ("no quiz problem again", "p1 0.5"),
    ],
)
def test_a_value_is_missing_without_the_deed_that_its_text_names(catalogue: Catalogue, text: str, deed: str) -> None:
    concerned = {one.name for one in catalogue if text in one.missing.lower()}
    lines = (WEEK + MORE_SESSIONS).splitlines()
    undone = features("\n".join(line for line in lines if not re.search(deed, line)))
    assert concerned
    assert concerned <= features("\n".join(lines)).keys()
    assert not concerned & undone.keys()


def test_a_week_whose_problems_gave_no_marks_has_no_share_of_solved_ones(catalogue: Catalogue) -> None:
    assert "its problems had no marks" in catalogue.by_name("CompetencyAlignment").missing
    assert "CompetencyAlignment" not in features("Mon 10:00:00 problem.check p1")
    assert features("Mon 10:00:00 problem.check p1 0")["CompetencyAlignment"] == 0.0


@pytest.mark.parametrize(
    ("name", "said", "slip"),
    [
        ("StdTimeSessions", "with only one session it is zero", WEEK),
        ("StdSeekLength", "with one jump it is zero", WEEK),
        ("StdPauseDuration", "with one pause it is zero", WEEK),
        ("StdTimeSpeedingUp", "with only one it is zero", WEEK.replace("Mon 10:06:00 video.play v1", "")),
        ("StdWatchedWeeklyProp", "as each week counts alone, it is zero", WEEK),
        ("StdReplayedWeeklyProp", "as each week counts alone, it is zero", WEEK),
        ("StdInterruptedWeeklyProp", "as each week counts alone, it is zero", WEEK),
    ],
)
def test_what_is_said_to_be_zero_is_zero(catalogue: Catalogue, name: str, said: str, slip: str) -> None:
    assert said in catalogue.by_name(name).description
    assert features(slip)[name] == 0.0


def test_videos_watched_and_videos_opened_on_time_are_the_same_number(catalogue: Catalogue) -> None:
    aligned = catalogue.by_name("ContentAlignment")
    assert f"the same as {aligned.label}" in catalogue.by_name("AvgWatchedWeeklyProp").description
    for week, share in ((1, 0.5), (3, 0.0)):
        values = features(WEEK, week=week)
        assert values["AvgWatchedWeeklyProp"] == values[aligned.name] == share


def test_doing_nothing_is_never_the_best_value_of_a_behaviour(catalogue: Catalogue) -> None:
    """Who opened no video has interrupted none, which is nothing to praise."""
    idle = features("Mon 10:00:00 video.play v1", week=3)
    praised = [one.name for one in catalogue if one.good == "less" and idle.get(one.name) == one.minimum]
    assert praised == []
    assert idle["AvgInterruptedWeeklyProp"] == 0.0
