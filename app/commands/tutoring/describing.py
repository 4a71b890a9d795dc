"""What a measurement is of, as `run.json` has it, so that a folder never mixes two."""

import argparse
from collections.abc import Mapping
from typing import Any

from app.commands.tutoring.opening import NAMES, split_tutor
from data.tasks.reading import find_task
from eval.tutoring.programs.tester import identify_program
from eval.tutoring.protocol.plan import MeasurementPlan
from scribe.verify.opening import identify_shipped


def describe_run(arguments: argparse.Namespace, plan: MeasurementPlan, model: Mapping[str, str]) -> dict[str, Any]:
    """What the sessions of a folder have in common, each task by its content and each tutor by what it rests on."""
    tasks = (find_task(name, arguments.tasks_folder) for name in plan.tasks)
    tutors = {name: _describe_tutor(name, arguments, model) for name in plan.tutors}
    students = {**plan.describe_students(), "model": dict(model) if plan.students == "model" else {}}
    return {**students, "tasks": {task.id: identify_program(task, task.reference) for task in tasks}, "tutors": tutors}


def _describe_tutor(name: str, arguments: argparse.Namespace, model: Mapping[str, str]) -> dict[str, str]:
    """What a tutor rests on; nothing of one that rests on nothing."""
    plain, count = split_tutor(name, arguments.candidates)
    rests = {each: str(getattr(arguments, each) or identify_shipped(each)) for each in ("tracer", "verifier")}
    if NAMES[plain].needs_model:
        return {**model, **rests, "candidates": str(count)}
    if NAMES[plain].draws:
        return {"verifier": rests["verifier"] if plain == "varied-verifier" else "", "candidates": str(count)}
    return {}
