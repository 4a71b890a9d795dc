"""The tutors by the names that commands and tables have for them."""

from scribe.plumbing.errors import UsageError
from scribe.tutor.methods.self_refine import SelfRefineTutor
from scribe.tutor.methods.traver import CANDIDATES, build_traver, build_without_tracing, build_without_verifier
from scribe.tutor.methods.tree_instruct import TreeInstructTutor
from scribe.tutor.methods.vanilla import VanillaTutor
from scribe.tutor.session import Tutor
from scribe.tutor.speaking import Speaker
from scribe.verify.choosing import PromptedChoice, RandomChoice, VerifiedChoice
from scribe.verify.tracing import Tracer
from scribe.verify.verifying import Verifier

TUTORS = {
    "vanilla": "told how to tutor, one draw",
    "self-refine": "a draft, advice on it, a better turn",
    "tree-instruct": "an estimate, planned questions, a turn that asks one",
    "traver": "tracing, and the verifier chooses among candidates",
    "traver-no-tracing": "the verifier alone",
    "traver-no-verifier": "tracing alone, one draw",
    "traver-prompted": "tracing, and the tutor's model chooses among candidates (B1)",
    "traver-random": "tracing, and chance chooses among candidates (B2)",
}
NEED_VERIFIER = frozenset({"traver", "traver-no-tracing"})
DRAW_CANDIDATES = NEED_VERIFIER | {"traver-prompted", "traver-random"}


def open_tutor(
    name: str, speaker: Speaker, tracer: Tracer, verifier: Verifier | None = None, candidates: int = CANDIDATES
) -> Tutor:
    """The tutor of this name. Raises UsageError for an unknown one, or one that needs a verifier and has none."""
    if name not in TUTORS:
        raise UsageError(f"there is no tutor {name!r}; there are {', '.join(TUTORS)}")
    if name in NEED_VERIFIER:
        if verifier is None:
            raise UsageError(f"the tutor {name} needs a trained verifier; without one there is traver-no-verifier")
        chooser = VerifiedChoice(verifier)
        if name == "traver":
            return build_traver(speaker, tracer, chooser, candidates)
        return build_without_tracing(speaker, chooser, candidates)
    match name:
        case "self-refine":
            return SelfRefineTutor(speaker)
        case "tree-instruct":
            return TreeInstructTutor(speaker)
        case "traver-no-verifier":
            return build_without_verifier(speaker, tracer)
        case "traver-prompted":
            return build_traver(speaker, tracer, PromptedChoice(speaker), candidates)
        case "traver-random":
            return build_traver(speaker, tracer, RandomChoice(), candidates)
        case _:
            return VanillaTutor(speaker)
