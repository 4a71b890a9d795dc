import numpy as np
import pytest

from data.behaviour import Behaviour
from data.course import BundleError
from data.predictor.choice import choose


def students(**features: list[float]) -> Behaviour:
    values = np.array(list(features.values())).T[:, None, :]
    return Behaviour(tuple("abc"), tuple(features), values)


def test_of_two_equal_features_the_one_that_can_be_advised_on_is_read() -> None:
    # Where only the loading of videos is recorded, each video opened looks interrupted.
    opened = [0, 0.5, 1]
    some = students(AvgInterruptedWeeklyProp=opened, AvgWatchedWeeklyProp=opened, ContentAlignment=opened)
    assert choose(some) == ("ContentAlignment",)


def test_features_that_are_missing_in_different_cells_are_not_equal() -> None:
    some = students(NumberOfSessions=[1, 2, 3], TotalClicksVideo=[1, 2, np.nan])
    assert choose(some) == ("NumberOfSessions", "TotalClicksVideo")


def test_neither_the_sum_of_others_nor_what_never_differs_is_read() -> None:
    some = students(TotalClicks=[1, 2, 3], StdTimeSessions=[5, 5, np.nan], NumberOfSessions=[1, 2, 3])
    assert choose(some) == ("NumberOfSessions",)


def test_students_who_cannot_be_told_apart_are_an_error() -> None:
    with pytest.raises(BundleError, match="no feature differs"):
        choose(students(NumberOfSessions=[2, 2, 2], TotalClicks=[1, 2, 3]))
