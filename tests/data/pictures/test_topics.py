"""Topic maps: what a week builds on, and arrows that can be followed."""

import itertools

import numpy as np
import pytest
from matplotlib.transforms import Affine2D
from numpy.typing import NDArray

from data.course import BundleError, Course, find_chain
from data.pictures.topics import BOX, Spot, TopicMap, assign_lanes, describe_topics, draw_topic_map
from tests.data.pictures.looking import covered, outlines, texts
from tests.tools.small_course import course_with, student

COURSES = outlines()
NAMES = [course.id for course in COURSES]


def along(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """Twenty points on each stretch between corners (n, 2)."""
    steps = np.linspace(0, 1, 20)[:, None]
    stretches = [low + (high - low) * steps for low, high in itertools.pairwise(corners)]
    return np.concatenate(stretches)


def small() -> Course:
    return course_with(student())


def test_a_week_needs_topics_directly_and_through_others() -> None:
    found = find_chain(small(), week=4)
    assert found is not None
    assert found.direct == {"Sequences", "DFT", "Inner products", "Complex exponentials", "DFS"}
    assert found.further == frozenset()
    third = find_chain(small(), topic="dfs")
    assert third is not None
    assert third.topics == {"DFS"}
    assert third.direct == {"DFT"}
    assert third.further == {"Inner products", "Complex exponentials", "Sequences"}


def test_the_map_of_a_week_says_so_and_shows_every_topic() -> None:
    shown = texts(draw_topic_map(small(), week=3))
    assert "What week 3 builds on" in shown
    assert {"Sequences", "DFT", "Convolution", "needed for it", "not needed"} <= set(shown)


def test_in_words_the_chain_is_given_from_near_to_far() -> None:
    assert describe_topics(small(), week=3) == (
        "Week 3 builds on Complex exponentials (week 1), Inner products (week 2). Before that come Sequences (week 1)."
    )
    assert "Topic DFS (week 3) builds on DFT (week 3)." in describe_topics(small(), topic="dfs")
    assert "no topic of another week" in describe_topics(small(), week=1)
    assert "week 2: Inner products" in describe_topics(small())


@pytest.mark.parametrize(
    ("week", "topic", "complaint"), [(5, None, "weeks 1 to 4"), (None, "DFTT", "close topics are D")]
)
def test_what_the_course_does_not_have_is_named(week: int | None, topic: str | None, complaint: str) -> None:
    with pytest.raises(BundleError, match=complaint):
        draw_topic_map(small(), week, topic)


@pytest.mark.parametrize("course", COURSES, ids=NAMES)
def test_no_words_stand_on_others_in_our_courses(course: Course) -> None:
    assert covered(draw_topic_map(course)) == []
    assert covered(draw_topic_map(course, week=course.weeks)) == []


@pytest.mark.parametrize("course", COURSES, ids=NAMES)
def test_no_arrow_runs_behind_a_box(course: Course) -> None:
    grid = TopicMap(course)
    for edge in course.prerequisites:
        # Flattened at a hundredth of an inch, in which the boxes are measured too.
        (points,) = grid.curve(edge.needs, edge.topic).to_polygons(Affine2D().scale(100), closed_only=False)
        ends = {edge.needs, edge.topic}
        for topic, (column, row) in grid.spots.items():
            left, top = grid.left(column), grid.tops[row]
            inside = [
                (x, y)
                for x, y in along(np.asarray(points) / 100)
                if left + 0.01 < x < left + BOX - 0.01 and top + 0.01 < y < top + grid.height - 0.01
            ]
            assert topic in ends or not inside, f"{edge.needs} → {edge.topic} runs behind {topic}"


@pytest.mark.parametrize("course", COURSES, ids=NAMES)
def test_arrows_from_different_topics_never_share_a_stretch_of_a_lane(course: Course) -> None:
    grid = TopicMap(course)
    taken: dict[tuple[int, int, int], Spot] = {}
    for edge in course.prerequisites:
        start, end = grid.spots[edge.needs], grid.spots[edge.topic]
        for column in range(start[0] + 1, end[0]):
            assert taken.setdefault((start[1], grid.lanes[start], column), start) == start


def test_only_an_arrow_that_passes_a_column_gets_a_lane_and_the_same_one_in_any_order() -> None:
    arrows: list[tuple[Spot, Spot]] = [((0, 1), (3, 2)), ((1, 1), (3, 0)), ((0, 0), (1, 2))]
    assert assign_lanes(arrows) == {(0, 1): 0, (1, 1): 1} == assign_lanes(reversed(arrows))


def test_arrows_of_one_topic_share_a_lane_and_later_ones_may_use_it_again() -> None:
    arrows: list[tuple[Spot, Spot]] = [((0, 0), (2, 0)), ((0, 0), (3, 0)), ((3, 0), (5, 0)), ((3, 0), (5, 1))]
    assert assign_lanes(arrows) == {(0, 0): 0, (3, 0): 0}
