"""The tutors that can be measured, by name, opened with the model, tracer and verifier that arguments name."""

import argparse
import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from data.tasks.reading import find_task
from eval.tutoring.protocol.bounds import ExplainingTutor, IdleTutor
from eval.tutoring.protocol.plan import ORACLE, MeasurementPlan
from finetune.verifier.varied_tutor import VariedTutor
from scribe.backend import Backend
from scribe.dialect import DIALECTS
from scribe.tutor.methods.opening import NEED_VERIFIER, TUTORS, open_tutor
from scribe.tutor.session import Tutor
from scribe.tutor.solution_guard import SolutionGuard
from scribe.tutor.speaking import Speaker
from scribe.verify.opening import open_tracer, open_verifier
from scribe.verify.verifying import Verifier
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


@dataclass(frozen=True, slots=True)
class TutorName:
    """A tutor that can be named: what it is, and whether it speaks through a language model."""

    what: str
    needs_model: bool = True


NAMES: dict[str, TutorName] = {
    **{name: TutorName(what) for name, what in TUTORS.items()},
    "explainer": TutorName("reads out all that must be known, no model", False),
    "idle": TutorName("explains nothing, no model", False),
    "varied": TutorName("explains by chance, to make data for the verifier, no model", False),
    ORACLE: TutorName("no dialogue: students are given all knowledge", False),
}


@dataclass(frozen=True, slots=True)
class OpenedTutors:
    """Tutors by name, the model behind them if one is needed, and what identifies it."""

    tutors: Mapping[str, Tutor]
    backend: Backend | None = None
    info: Mapping[str, str] = field(default_factory=dict)


def open_tutors(
    arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend, plan: MeasurementPlan
) -> OpenedTutors:
    """The tutors of a plan; a model is loaded only if a tutor or the students need one. Raises UsageError."""
    plain: dict[str, Tutor] = {"explainer": ExplainingTutor(), "idle": IdleTutor(), "varied": VariedTutor()}
    speaking = [name for name in plan.tutors if NAMES[name].needs_model]
    if not speaking and plan.students == "knowledge":
        return OpenedTutors(plain)
    verifier = open_named_verifier(arguments) if NEED_VERIFIER & set(speaking) else None
    backend = make(settings)

    @functools.cache
    def find_guard(name: str) -> SolutionGuard:
        task = find_task(name, arguments.tasks_folder)
        return SolutionGuard([task.part(each.name) for each in task.components], task.reference)

    speaker = Speaker(backend, find_guard, dialect=DIALECTS[settings.model.dialect]())
    tracer = open_tracer(arguments.tracer)
    for name in speaking:
        plain[name] = open_tutor(name, speaker, tracer, verifier, arguments.candidates)
    return OpenedTutors(plain, backend, dict(backend.info))


def open_named_verifier(arguments: argparse.Namespace) -> Verifier:
    """The verifier that arguments name, or that which comes with Scribe. Raises ModelFileError."""
    named: Path | None = arguments.verifier
    if named is None or named.is_file() or arguments.verifier_base is not None:
        return open_verifier(named, arguments.verifier_base)
    from data.pretrained.conversion import open_base_folder  # it loads what converts a model

    return open_verifier(named, open_base_folder())
