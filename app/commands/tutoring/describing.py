"""What a measurement is of, as `run.json` has it, so that a folder never mixes two."""

import argparse
from collections.abc import Mapping
from typing import Any

from app.commands.tutoring.opening import NAMES
from data.tasks.reading import find_task
from eval.tutoring.programs.tester import identify_program
from eval.tutoring.protocol.plan import MeasurementPlan


def describe_run(arguments: argparse.Namespace, plan: MeasurementPlan, model: Mapping[str, str]) -> dict[str, Any]:
    """What the sessions of a folder have in common, each task by its content and each tutor by what it rests on."""
    tasks = (find_task(name, arguments.tasks_folder) for name in plan.tasks)
    rests = {name: str(getattr(arguments, name) or "") for name in ("tracer", "verifier", "candidates")}
    tutors = {name: {**model, **rests} if NAMES[name].needs_model else {} for name in plan.tutors}
    students = {**plan.describe_students(), "model": dict(model) if plan.students == "model" else {}}
    return {**students, "tasks": {task.id: identify_program(task, task.reference) for task in tasks}, "tutors": tutors}
