"""Classes made up for the reports' tests: real outlines, invented students with every behaviour of the catalogue."""

import dataclasses
import random
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from data.bundle_cohort import THEORIES
from data.bundle_files import Location
from data.bundle_material import read_material
from data.catalogue import Feature, load_catalogue
from data.course import Course, Importance, Outcome, Student, Sufficient
from data.reports.compose import write_report
from data.reports.phrasebook import load_wordings

DATA = Path(__file__).parents[3] / "data"
COURSES = ("dsp", "geo", "va", "lnv")
HOURS = 3600.0


@cache
def outline(course_id: str) -> Course:
    """A course as it is taught, without students."""
    course = read_material(DATA / "courses" / course_id, Location([]))
    assert course is not None
    return dataclasses.replace(course, students={})


@cache
def made_up(course_id: str, count: int = 30, seed: int = 1) -> Course:
    """The course with `count` students; explanations fit the student's side in about two of three cases."""
    course, chance = outline(course_id), random.Random(f"{course_id}.{seed}")
    plain = {f"s{number:03d}": _values(course, chance) for number in range(1, count + 1)}
    unexplained = {
        name: Student(name, values, (), (), {}, "pass" if chance.random() < 0.5 else "fail", 0.5)
        for name, values in plain.items()
    }
    course = dataclasses.replace(course, students=unexplained)
    students = {name: _explained(course, one, chance) for name, one in unexplained.items()}
    return dataclasses.replace(course, students=students)


@cache
def letters(course_id: str) -> Mapping[tuple[str, str], str]:
    """The composed reports of the made-up students, by (student, theory)."""
    course = made_up(course_id)
    return {
        (name, theory): write_report(course, one, theory)
        for name, one in course.students.items()
        for theory in THEORIES
    }


def _values(course: Course, chance: random.Random) -> dict[tuple[str, int], float]:
    level = chance.gauss(0, 1)  # a diligent student is above the others in most things
    return {
        (feature.name, week): _value(feature, level, chance)
        for feature in load_catalogue()
        for week in range(1, course.weeks_done + 1)
        if chance.random() > 0.1  # some values are missing
    }


def _value(feature: Feature, level: float, chance: random.Random) -> float:
    """A plausible raw value; some are 0 or so small that they are shown as 1 or less."""
    skill = level * {"more": 1, "less": -1}.get(feature.good, 0) + chance.gauss(0, 1)
    if feature.name == "DelayLecture":
        return HOURS * (20 + 25 * skill)
    if feature.maximum == 1:
        return min(1.0, max(0.0, round(0.4 + 0.25 * skill, 3)))
    middle = {"hours": 15 * HOURS, "minutes": 1800.0, "seconds": 60.0}.get(feature.unit, 12 / feature.factor)
    whole = feature.decimals == 0 and feature.factor == 1
    raw = max(feature.minimum, 0.0, middle * (1 + 0.6 * skill))
    return float(round(raw)) if whole else raw


def _explained(course: Course, student: Student, chance: random.Random) -> Student:
    if chance.random() < 0.1:
        return student
    flips: Outcome = "fail" if student.predicted == "pass" else "pass"
    told = [key for key in student.features if key[0] in load_wordings()]
    places = chance.sample(told, chance.randint(1, 14))
    found = (_importance(course, student, place, flips, chance) for place in places)
    enough = chance.sample(places + chance.sample(told, 2), chance.choice((0, 1, 2, 2, 5)) if len(places) > 3 else 0)
    return dataclasses.replace(
        student,
        importances=tuple(sorted(found, key=lambda one: -one.importance)),
        sufficient=tuple(dict.fromkeys(Sufficient(week, name) for name, week in enough)),
    )


def _importance(
    course: Course, student: Student, place: tuple[str, int], flips: Outcome, chance: random.Random
) -> Importance:
    name, week = place
    own, usual = student.features[place], course.typical(name, week)
    assert usual is not None
    rising = own < usual if chance.random() < 0.7 else chance.random() < 0.5
    target = usual + (usual - own) * 0.2 if rising == (own < usual) else own + (own - usual)
    return Importance(week, name, chance.random() + 0.1, "increase" if rising else "decrease", flips, target)


def beside(feature: Feature, own: float, usual: float, **student: Any) -> tuple[Course, Student]:
    """A class of eleven in week 5 of DSP: the student's value is `own`, everybody else's is `usual`."""
    place = feature.name, 5
    me = Student("me", {place: own}, (), (), {}, "fail", 0.2)
    students = {f"s{number}": dataclasses.replace(me, features={place: usual}) for number in range(10)}
    me = dataclasses.replace(me, **student)
    return dataclasses.replace(outline("dsp"), students={"me": me, **students}), me


def weighing(feature: Feature, own: float, usual: float, outcome: Outcome) -> Importance:
    """An importance that fits a value on its side of the class's."""
    flips: Outcome = "pass" if outcome == "fail" else "fail"
    return Importance(5, feature.name, 1.0, "increase" if own < usual else "decrease", flips, usual)
