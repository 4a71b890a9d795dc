"""Over all weeks: the heaviest one is told, and what stands out beside it from whichever week it does."""

import json
from dataclasses import replace
from pathlib import Path

from data.bundle import find
from data.course import Importance
from scribe.trajectory import Call
from tests.tools.conftest import Ask
from tests.tools.small_course import ScriptedEmbedder, course_with, student
from tests.tools.test_behaviour_tools import FAILING, OWN, PASSING
from tools.build import toolbox
from tools.search.vault import Vault

TOOL = "sort_student_features_with_importance"
LIGHT = Importance(1, "NumberOfSessions", 0.3, "increase", "pass", 5.0)


def test_a_failing_student_hears_of_the_week_that_weighed_most(ask: Ask) -> None:
    who = student(features=OWN, importances=(LIGHT, *FAILING))
    told, alone = ask(TOOL, who), ask(TOOL, who, week=2)
    assert (told["week"], told["do"]) == (2, alone["do"])
    assert told["went_wrong"] == f"Of all weeks so far, week 2 weighed most. {alone['went_wrong']}"


def test_another_week_weighs_most_where_its_heaviest_behaviour_does(ask: Ask) -> None:
    heavy = replace(LIGHT, importance=0.9)
    assert ask(TOOL, student(features=OWN, importances=(heavy, *FAILING)))["week"] == 1


def test_a_passing_student_hears_of_strengths_and_of_no_week_gone_wrong(ask: Ask) -> None:
    who = student(features=OWN, importances=PASSING)
    told, alone = ask(TOOL, who), ask(TOOL, who, week=2)
    assert told["went_well"] == f"Of all weeks so far, week 2 weighed most. {alone['went_well']}"
    assert told["went_wrong"].startswith("All in all the way you work speaks for a pass. In week ")
    assert "behind the class in" in told["went_wrong"]


def test_the_other_side_is_taken_from_the_week_in_which_it_stands_out(ask: Ask) -> None:
    told = ask(TOOL, student(features=OWN, importances=(replace(LIGHT, importance=0.9), *FAILING)))
    assert told["week"] == 1
    assert told["went_well"].startswith("In week 2 you were ahead of the class in videos opened on time ")


def test_what_mattered_anywhere_is_not_told_as_its_opposite(ask: Ask) -> None:
    on_time = Importance(1, "ContentAlignment", 0.1, "increase", "pass", 0.95)
    told = ask(TOOL, student(features=OWN | {("ContentAlignment", 1): 0.1}, importances=(on_time, *FAILING)))
    assert "videos opened on time" not in told["went_well"]


def test_what_stands_out_is_not_said_to_be_without_influence(ask: Ask) -> None:
    course, otherwise = find("dsp"), 0
    for who in list(course.students.values())[:40]:
        told = ask(TOOL, who, course=course)
        said = told["went_wrong"] + told["went_well"]
        assert not [label for label in told.get("no_measurable_influence", []) if f" {label} with " in said]
        alone = ask(TOOL, who, course=course, week=told.get("week", 1)).get("no_measurable_influence", [])
        otherwise += any(f" {label} with " in said for label in alone)
    assert otherwise  # of one week alone it was said


def test_the_students_own_value_of_what_is_asked_comes_first_on_both_sides(tmp_path: Path) -> None:
    who = student(features=OWN, importances=FAILING)
    box = toolbox(course_with(who), who.id, Vault(ScriptedEmbedder(), tmp_path))
    told = json.loads(box.call(Call(TOOL, {}), "how is my number of sessions?", "English").content)
    for side in ("went_wrong", "went_well"):
        assert told[side].startswith("In week 2 you had 2 sessions for number of study sessions ")


def test_without_a_measured_influence_it_says_so_and_compares(ask: Ask) -> None:
    told = ask(TOOL, student(features=OWN, importances=()))
    assert told["no_data"] == "No change of behaviour was found that explains your result."
    assert told["went_well"].startswith("In week 2 you were ahead of the class in ")
    assert "first" not in told and told["try"]


def test_before_any_week_is_recorded_there_is_nothing(ask: Ask) -> None:
    who = student(features={}, importances=())
    told = ask(TOOL, who, course=replace(course_with(who), weeks_done=0))
    assert (told["no_data"], set(told)) == ("No week of this course is recorded yet.", {"no_data", "try"})


def test_a_student_without_any_activity_is_told_so(ask: Ask) -> None:
    told = ask(TOOL, student(features={}, importances=()))
    assert told["no_data"] == "No activity of yours was recorded in any week."


def test_in_a_class_too_small_to_compare_nothing_is_compared(ask: Ask) -> None:
    who = student(features=OWN, importances=())
    alone = replace(course_with(who), students={who.id: who})
    told = ask(TOOL, who, course=alone)
    assert told["went_wrong"] == told["went_well"] == "There is no comparison with the class."


def test_in_french(ask: Ask) -> None:
    course = find("va")
    for who in list(course.students.values())[:12]:
        told = ask(TOOL, who, course=course)
        said = f"{told['went_wrong']} {told['went_well']}"
        assert "De toutes les semaines écoulées" in said or "Aucun changement" in told["no_data"]
        assert "{" not in said and " the " not in said
