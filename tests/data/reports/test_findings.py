"""What counts as a finding: change, value and class fit together."""

import pytest

from data.catalogue import load_catalogue
from data.course import Direction, Importance, Outcome, Sufficient
from data.reports.findings import gather_findings
from tests.data.reports.anns_report import ANN, anns_class
from tests.data.reports.classes import beside

MINUTES = 60.0


@pytest.mark.parametrize(
    ("feature", "own", "usual", "outcome", "direction", "clear"),
    [
        ("TotalTimeSessions", 40, 100, "fail", "increase", True),
        ("TotalTimeSessions", 100, 40, "pass", "decrease", True),
        ("TotalTimeSessions", 140, 100, "fail", "increase", False),  # more than the class, and yet more
        ("TotalTimeSessions", 40, 100, "fail", "decrease", False),  # less study so as to pass
        ("TotalTimeSessions", 40, 100, "pass", "increase", False),  # more study so as to fail
        ("TotalTimeSessions", 100, 100.2, "fail", "increase", False),  # both are said as 100 minutes
        ("DelayLecture", 3000, 600, "fail", "decrease", True),
        ("DelayLecture", 600, 3000, "pass", "increase", True),
        ("DelayLecture", 600, 3000, "fail", "increase", False),
        ("StdTimeSessions", 10, 50, "fail", "increase", True),  # whether that is good depends: both ways count
        ("StdTimeSessions", 50, 10, "fail", "decrease", True),
        ("StdTimeSessions", 50, 10, "fail", "increase", False),
    ],
)
def test_a_finding_is_clear_when_all_fits(
    feature: str, own: float, usual: float, outcome: Outcome, direction: Direction, clear: bool
) -> None:
    flips: Outcome = "pass" if outcome == "fail" else "fail"
    one = Importance(5, feature, 1.0, direction, flips, usual * MINUTES)
    measured = load_catalogue().by_name(feature)
    course, student = beside(measured, own * MINUTES, usual * MINUTES, predicted=outcome, importances=(one,))
    found = gather_findings(course, student)
    assert [each.clear for each in found.ranked] == [clear]


def test_the_heaviest_come_first_and_different_behaviours_before_repeats() -> None:
    told = gather_findings(anns_class(), ANN).ranked
    assert [(one.feature.name, one.week) for one in told] == [
        ("TotalTimeSessions", 5),
        ("CompetencyAlignment", 4),
        ("DelayLecture", 3),
        ("FrequencyEventPause", 2),
        ("CompetencyAlignment", 5),
    ]
    assert told[0].shown(told[0].own) == "40 minutes" and told[0].shown(told[0].typical) == "100 minutes"
    assert told[0].extremity == pytest.approx(10 / 11) and told[0].favourable is False


def test_a_missing_value_is_no_finding() -> None:
    feature = load_catalogue().by_name("TotalTimeSessions")
    one = Importance(5, feature.name, 1.0, "increase", "pass", 6000.0)
    course, student = beside(feature, 1.0, 2.0, features={}, importances=(one,))
    assert gather_findings(course, student).ranked == ()


def test_a_strength_is_no_reason_to_fail() -> None:
    feature = load_catalogue().by_name("TotalTimeSessions")
    point = (Sufficient(5, feature.name),)
    for own, outcome, kept in ((1e4, "fail", 0), (1e3, "fail", 1), (1e4, "pass", 1), (1e3, "pass", 0)):
        course, student = beside(feature, own, 5e3, predicted=outcome, sufficient=point)
        assert len(gather_findings(course, student).enough) == kept
