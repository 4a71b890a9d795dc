"""The tutors that can be measured, by name, opened with the model, tracer and verifier that arguments name."""

import argparse
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from data.tasks.reading import find_task
from eval.tutoring.protocol.bounds import ExplainingTutor, IdleTutor
from eval.tutoring.protocol.informed import InformedTutor
from eval.tutoring.protocol.plan import AT, ORACLE, MeasurementPlan
from finetune.verifier.drawing_tutor import DrawingTutor
from finetune.verifier.varied_tutor import VariedTutor
from scribe.backend import Backend
from scribe.dialect import DIALECTS
from scribe.tutor.methods.opening import DRAW_CANDIDATES, NEED_VERIFIER, TUTORS, open_tutor
from scribe.tutor.methods.traver import CANDIDATES
from scribe.tutor.session import Tutor
from scribe.tutor.solution_guard import SolutionGuard
from scribe.tutor.speaking import Speaker
from scribe.verify.choosing import RandomChoice, VerifiedChoice
from scribe.verify.opening import open_tracer, open_verifier
from scribe.verify.verifying import Verifier
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


@dataclass(frozen=True, slots=True)
class TutorName:
    """A tutor that can be named: what it is, whether it speaks through a language model, and draws candidates."""

    what: str
    needs_model: bool = True
    draws: bool = False


_OF_VARIED = "chooses among candidates of varied"
NAMES: dict[str, TutorName] = {
    **{name: TutorName(what, draws=name in DRAW_CANDIDATES) for name, what in TUTORS.items()},
    "explainer": TutorName("reads out all that must be known, no model", False),
    "idle": TutorName("explains nothing, no model", False),
    "varied": TutorName("explains by chance, to make data for the verifier, no model", False),
    "varied-verifier": TutorName(f"a trained verifier {_OF_VARIED}", False, True),
    "varied-random": TutorName(f"chance {_OF_VARIED}, no model", False, True),
    "varied-oracle": TutorName(f"who knows what the student knows {_OF_VARIED}, no model", False, True),
    ORACLE: TutorName("no dialogue: students are given all knowledge", False),
}


@dataclass(frozen=True, slots=True)
class OpenedTutors:
    """Tutors by name, the model behind them if one is needed, and what identifies it."""

    tutors: Mapping[str, Tutor | InformedTutor]
    backend: Backend | None = None
    info: Mapping[str, str] = field(default_factory=dict)


def list_tutors(names: Sequence[str], candidates: Sequence[int]) -> Iterator[str]:
    """The tutors to be measured: with several numbers of candidates, one of each for each that draws some."""
    for name in dict.fromkeys(names):
        if NAMES[name].draws and len(candidates) > 1:
            yield from (f"{name}{AT}{count}" for count in dict.fromkeys(candidates))
        else:
            yield name


def split_tutor(name: str, candidates: Sequence[int]) -> tuple[str, int]:
    """The name that stands in `NAMES`, and the number of candidates if it draws some."""
    plain, at, count = name.partition(AT)
    usual = candidates[0] if len(candidates) == 1 else CANDIDATES
    return plain, int(count) if at else usual


def open_tutors(
    arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend, plan: MeasurementPlan
) -> OpenedTutors:
    """The tutors of a plan; a model is loaded only if a tutor or the students need one. Raises UsageError."""
    asked = {name: split_tutor(name, arguments.candidates) for name in plan.tutors}
    plain = {name for name, _ in asked.values()}
    verifier = open_named_verifier(arguments) if plain & (NEED_VERIFIER | {"varied-verifier"}) else None
    found: dict[str, Tutor | InformedTutor] = {
        name: _open_plain(each, count, verifier)
        for name, (each, count) in asked.items()
        if not NAMES[each].needs_model and each != ORACLE
    }
    speaking = {name: each for name, each in asked.items() if NAMES[each[0]].needs_model}
    if not speaking and plan.students == "knowledge":
        return OpenedTutors(found)
    backend = make(settings)

    @functools.cache
    def find_guard(name: str) -> SolutionGuard:
        task = find_task(name, arguments.tasks_folder)
        return SolutionGuard([task.part(each.name) for each in task.components], task.reference)

    speaker = Speaker(backend, find_guard, dialect=DIALECTS[settings.model.dialect]())
    tracer = open_tracer(arguments.tracer)
    for name, (each, count) in speaking.items():
        found[name] = open_tutor(each, speaker, tracer, verifier, count)
    return OpenedTutors(found, backend, dict(backend.info))


def _open_plain(name: str, candidates: int, verifier: Verifier | None) -> Tutor | InformedTutor:
    """A tutor that speaks through no model."""
    match name:
        case "explainer":
            return ExplainingTutor()
        case "idle":
            return IdleTutor()
        case "varied-random":
            return DrawingTutor(RandomChoice(), candidates, name)
        case "varied-oracle":
            return InformedTutor(name, lambda value: DrawingTutor(VerifiedChoice(value), candidates, name))
        case "varied-verifier" if verifier is not None:
            return DrawingTutor(VerifiedChoice(verifier), candidates, name)
        case _:
            return VariedTutor()


def open_named_verifier(arguments: argparse.Namespace) -> Verifier:
    """The verifier that arguments name, or that which comes with Scribe. Raises ModelFileError."""
    named: Path | None = arguments.verifier
    if named is None or named.is_file() or arguments.verifier_base is not None:
        return open_verifier(named, arguments.verifier_base)
    from data.pretrained.conversion import open_base_folder  # it loads what converts a model

    return open_verifier(named, open_base_folder())
