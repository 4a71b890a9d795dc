"""The exam's marks: what counts as copied, and what as the right tool."""

from dataclasses import replace

import pytest

from finetune.exam import expected, mark, quoted, table
from finetune.questions import split_students
from finetune.trajectories.classroom import Classroom
from scribe.trajectory import Act, Answer, Call, Observation, Stop, Task, Trajectory

ABOUT = "DSP has weeks 1 to 10; weeks 1 to 5 are over and week 6 comes next."
TASK = Task("dsp", "s1", "How was week 4?", "1. In week 6, watch 3 videos.", about=ABOUT)
SEEN = Observation(True, '{"says": "You took 12 hours (class 9 hours).", "then": ["quiz with 3.5 points"], "week": 4}')


def answered(text: str, tool: str = "map_week_to_topic", week: int = 4) -> Trajectory:
    steps = (Act("look", (Call(tool, {"week": week}),), (SEEN,)), Answer("so", text))
    return Trajectory(TASK, steps, Stop.ANSWERED)


@pytest.mark.parametrize(
    "text",
    [
        "You took 12 hours (class 9 hours).",
        "In week 4 it went like this. You took 12 hours (class 9 hours).",
        "In week 6, watch 3 videos.",
        "Ask about week 5 instead.",
        "Nothing with a figure.",
    ],
)
def test_a_sentence_from_an_observation_or_the_report_is_copied(text: str) -> None:
    assert quoted(answered(text))


@pytest.mark.parametrize(
    "text",
    [
        "You took 9 hours (class 12 hours).",
        "You took 12 hours (class 9 hours) in week 7.",
        "In week 6, watch 12 videos.",
        "You took 12 hours (class 9 hours). And 3.5 hours.",
        "You took 4 hours.",
        "It is taught in week 3.",
        "You have 6 exercises.",
    ],
)
def test_a_figure_in_another_sentence_is_not(text: str) -> None:
    assert not quoted(answered(text))


def test_an_answer_is_marked_against_the_teachers() -> None:
    teacher = answered("You took 12 hours (class 9 hours).")
    same = mark("week_topics", teacher, teacher)
    assert same.tool and same.numbers and same.copied and same.same_calls and same.exact
    other = mark("week_topics", answered("You took 9 hours.", "grade_calculator"), teacher)
    assert not (other.tool or other.numbers or other.copied or other.same_calls or other.exact)


def test_calling_a_tool_is_wrong_where_none_is_needed() -> None:
    teacher = replace(answered("Hello!"), steps=(Answer("so", "Hello!"),))
    assert mark("smalltalk", teacher, teacher).tool
    assert not mark("smalltalk", answered("Hello!"), teacher).tool


def test_the_table_has_a_line_for_each_intent_and_one_for_all() -> None:
    teacher = answered("You took 12 hours (class 9 hours).")
    wrong = mark("grade", answered("You took 9 hours."), teacher)
    lines = table([mark("week_topics", teacher, teacher), wrong]).splitlines()
    assert [line.split(" | ")[0] for line in lines[2:]] == ["| grade", "| week_topics", "| all"]
    assert lines[-1].split(" | ")[1:-1] == ["2", "100.0", "50.0", "50.0", "50.0", "50.0"]


def test_questions_of_the_exam_repeat_and_are_of_held_out_students(room: Classroom) -> None:
    once, again = (expected(room, 40, seed=3) for _ in range(2))
    assert [(intent, done.steps) for intent, done in once] == [(intent, done.steps) for intent, done in again]
    assert len(once) == 40 and len({done.task.theory for _, done in once}) == 3
    assert {done.task.student for _, done in once} <= set(split_students(list(room.course.students))[1])
    assert not any(done.faults for _, done in once) and len({intent for intent, _ in once}) > 10
