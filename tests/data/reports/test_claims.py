"""The checker accepts what is true, however it is worded, and notices what is not."""

import dataclasses
import itertools
import random
import re
from collections import Counter

import pytest

from data.course import Importance, Outcome
from data.reports.claims import find_false_claims
from data.reports.compose import write_report
from data.reports.phrasebook import find_phrases
from tests.data.reports.anns_report import ANN, REPORT, anns_class, find_faults
from tests.data.reports.classes import COURSES, letters, made_up
from tests.data.reports.mutations import MUTATIONS
from tests.data.reports.phrases import list_forms

LEAST_NOTICED = 0.95


def test_a_true_report_by_hand_is_accepted() -> None:
    assert find_faults(REPORT, ANN, anns_class()) == []


@pytest.mark.parametrize(
    ("true", "false", "complaint"),
    [
        ("only 40 minutes", "only 45 minutes", "is 40 minutes, not 45 minutes"),
        ("for 100 minutes", "for 40 minutes", "the class's median of total study time in week 5 is 100 minutes"),
        ("only 40 minutes", "only 40 hours", "is 40 minutes, not 40 hours"),
        ("below the class median", "above the class median", "is below the class's median"),
        ("below the class median", "ahead of the class, at a median", "is below the class's median"),
        ("In week 4, you", "In week 3, you", "quiz problems fully solved in week 3 is not part"),
        ("In week 5 your", "In week 7 your", "one concluded week"),
        ("total study time was", "average session length was", "average session length is not part"),
        ("total study time was only 40 minutes, while a typical student studied for", "work was 40 of", "no known"),
        ("20 percent of quiz", "20% of quiz", "must not be said (%)"),
        ("and your delay before watching lectures in week 3 ", "", "only together with others"),
        ("delay before watching lectures in week 3", "share of pause clicks in week 2", "not known to be enough"),
        ("there is still time", "well done so far, there is time", "does not fit the outlook"),
        ("You are not on track yet", "Half of it is over, five weeks remain, seven weeks are left", "should be 5"),
        ("Sampling theorem", "JPEG", "JPEG is taught in week 8"),
        ("projection from week 3", "projection from week 2", "is taught in week 3, not in week 2"),
        ("Approximation by projection", "Vector spaces", "builds on the other"),
        ("Sampling theorem, which builds", "aliasing thing, which Vector spaces builds", "Vector spaces"),
        ("(Image processing)", "(Digital communication)", "is not what week 8 is about"),
        ("In week 8 (Image", "In week 11 (Image", "the course has weeks 1 to 10"),
        ("In week 6, plan three evenings for the Sampling theorem", "In week 6, plan three evenings", "no topic"),
        ("2. In week 8", "In week 8", "there must be two actions"),
        ("8 (Image processing), watch", "10 (Applications and review), finish the quiz and", "week 10 has no quiz"),
        ("8 (Image processing), watch", "10 (Applications and review), plan the following week and", "no week follows"),
        ("**Robust explanation:**", "**Key differences:**", "not those of one theory"),
        ("Dear Ann, you want", "TotalTimeSessions shows that you want", "a technical name"),
        ("You are not on track yet", "The probability is low", "must not be said (probabilit"),
        ("You are not on track yet", "I found none of the reasons", "there is an explanation"),
    ],
)
def test_what_a_person_got_wrong_is_noticed(true: str, false: str, complaint: str) -> None:
    assert true in REPORT
    faults = find_faults(REPORT.replace(true, false, 1), ANN, anns_class())
    assert any(complaint in fault for fault in faults), faults


@pytest.mark.parametrize(
    "sentence",
    [
        "With a class median of 60 percent, your 30 percent of quiz problems fully solved in week 5 leave a gap.",
        "Your total study time of 40 minutes in week 5 was not above the class median of 100 minutes.",
        "Had your total study time in week 5 been 90 minutes, things would look different.",
        "For share of pause clicks in week 2 you were at 50 percent, more than the typical 20 percent.",
        "It shows again in week 5: 30 percent of quiz problems fully solved.",
        "In week 3, your delay before watching lectures was 60 hours, in the highest tenth of the class.",
        "Your total study time in week 5 counts most.",
    ],
)
def test_true_sentences_of_other_wording_are_accepted(sentence: str) -> None:
    text = REPORT.replace("- **Robust", f"- **Robust explanation:** {sentence} X").replace("X explanation:**", "And")
    assert find_faults(text, ANN, anns_class()) == []


@pytest.mark.parametrize(
    ("sentence", "complaint"),
    [
        ("Your total study time of 40 minutes in week 5 was not below the class median of 100 minutes.", "is below"),
        ("For share of pause clicks in week 2 you were at 50 percent, worse than the typical 20 percent.", "depends"),
        ("Your total study time in week 5 was in the highest quarter of the class.", "not in the highest quarter"),
        ("It shows again in week 3: a delay before watching lectures of 60 hours.", "no other week"),
        ("In the latest week, week 3, your delay before watching lectures was 60 hours.", "latest concluded week is"),
        ("Your share of pause clicks in week 2 counts most.", "something else weighs more"),
        ("No small group of points settles this by itself.", "there are points that alone are enough"),
        ("Your total study time in week 5 was 40 minutes and in week 4 30 minutes.", "one concluded week"),
    ],
)
def test_false_sentences_of_other_wording_are_noticed(sentence: str, complaint: str) -> None:
    text = REPORT.replace("- **Robust", f"- **Robust explanation:** {sentence} X").replace("X explanation:**", "And")
    assert any(complaint in fault for fault in find_faults(text, ANN, anns_class()))


def test_an_importance_that_contradicts_the_value_is_no_finding_while_there_are_others() -> None:
    turned = Importance(5, "TotalTimeSessions", 3.0, "decrease", "pass", 1800.0)
    student = dataclasses.replace(ANN, importances=(turned, *ANN.importances[1:]), sufficient=())
    report = REPORT.split("- **Robust")[0] + "- **Robust explanation:** It is so.\n\n" + REPORT.split("are.\n\n")[1]
    assert any("different directions" in fault for fault in find_faults(report, student, anns_class()))
    alone = dataclasses.replace(ANN, importances=(turned,), sufficient=())
    assert not any("different directions" in fault for fault in find_faults(report, alone, anns_class()))


@pytest.mark.parametrize(("predicted", "other"), [("fail", "pass"), ("pass", "fail")])
def test_the_status_of_the_other_outcome_is_noticed(predicted: Outcome, other: Outcome) -> None:
    student = dataclasses.replace(ANN, predicted=predicted)
    own = [form for phrase in find_phrases("status", predicted) for form in list_forms(phrase)]
    strange = [form for phrase in find_phrases("status", other) for form in list_forms(phrase)]
    stated = "You are not on track yet, and there is still time to change that."

    def misfits(status: str) -> bool:
        faults = find_faults(REPORT.replace(stated, status), student, anns_class())
        return any("does not fit the outlook" in fault for fault in faults)

    assert not any(map(misfits, own))
    assert sum(map(misfits, strange)) >= LEAST_NOTICED * len(strange), [one for one in strange if not misfits(one)]


def test_results_are_not_controllable_and_old_weeks_not_recent() -> None:
    report = REPORT.replace("Necessary causes", "Abnormal causes").replace("Robust explanation", "Recent events")
    faults = find_faults(report.replace("enough on their own to", "what may"), ANN, anns_class())
    assert any("recent are weeks 4 and 5" in fault for fault in faults)
    report = REPORT.replace("Necessary causes", "Controllable factors")
    assert any("is a result" in fault for fault in find_faults(report, ANN, anns_class()))


def test_a_missing_value_has_no_number() -> None:
    hers = {place: value for place, value in ANN.features.items() if place[0] != "TotalTimeSessions"}
    student = dataclasses.replace(ANN, features=hers)
    assert any("there is no value" in fault for fault in find_faults(REPORT, student, anns_class()))


def test_a_report_about_somebody_else_is_noticed() -> None:
    course = made_up("lnv")
    students = [one for one in course.students.values() if len(one.importances) > 4][:6]
    for one, other in itertools.pairwise(students):
        assert find_faults(write_report(course, one, "ac"), other, course)


def test_french_topics_are_read_in_both_languages() -> None:
    course = made_up("geo")
    student = next(one for one in course.students.values() if not one.explained and one.predicted == "fail")
    report = write_report(course, student, "nr")
    head = report[: report.index("\n1. ")]
    steps = (
        "\n1. In week 6, read about Définitions des altitudes (Definitions of altitudes), which needs Ellipsoid and "
        "geoid from week 2.\n2. In week 7 (Topométrie – Surveying), sum up Orientation.\n"
    )
    assert find_faults(head + steps, student, course) == []
    for true, false, complaint in (
        ("(Definitions of altitudes)", "(Control of the level)", "is not the translation"),
        ("Ellipsoid and geoid from week 2", "Swiss coordinates from week 3", "builds on the other"),
        ("Ellipsoid and geoid from week 2", "Ellipsoid and geoid from week 4", "taught in week 2"),
        ("Topométrie – Surveying", "Topométrie – Geodesy", "is not what week 7 is about"),
    ):
        faults = find_faults(head + steps.replace(true, false), student, course)
        assert any(complaint in fault for fault in faults), faults


@pytest.mark.parametrize(("rarer", "allowed"), [(8, False), (10, True)])
def test_what_few_others_show_is_said_only_of_one_in_ten(rarer: int, allowed: bool) -> None:
    """Of the ten others so many have more study time than Ann: eight or all of them."""
    course = anns_class()
    others = [name for name in course.students if name != "ann"][rarer:]
    low = {name: dataclasses.replace(course.student(name), features=ANN.features) for name in others}
    course = dataclasses.replace(course, students={**course.students, **low})
    report = REPORT.replace("Necessary causes", "Abnormal causes").replace("- **Robust", "Few others show this.\n- **R")
    assert allowed != any("not that rare" in fault for fault in find_faults(report, ANN, course))
    texts = [write_report(course, dataclasses.replace(ANN, id=f"ann{each}"), "ac") for each in range(80)]
    assert allowed == any(re.search(r"unlike those|unusual|stands apart|differs clearly", text) for text in texts)


@pytest.mark.parametrize("kind", MUTATIONS)
def test_nearly_every_random_falsehood_is_noticed(kind: str) -> None:
    chance, seen = random.Random(f"mutate {kind}"), Counter[str]()
    for course in map(made_up, COURSES):
        for (who, _), report in letters(course.id).items():
            false = MUTATIONS[kind](report, course, chance)
            if false is not None:
                seen["noticed" if find_false_claims(false, course.student(who), course) else "missed"] += 1
    share = seen["noticed"] / seen.total()
    print(f"{kind}: {share:.4f} of {seen.total()} noticed")
    assert seen.total() > 100 and share >= LEAST_NOTICED, f"{kind}: only {share:.3f} of {seen.total()} noticed"
