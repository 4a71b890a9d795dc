"""Settings to working parts: the course, the model, and an agent for each student."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app import task as tasks
from app.distress import CrisisGuard
from app.settings import Settings
from data import bundle
from data.catalogue import load_catalogue
from data.course import BundleError, Course, Student, UnknownStudent
from scribe.agent import Agent, Limits
from scribe.backend import Backend, Sampling
from scribe.dialect import DIALECTS
from scribe.errors import ModelFileError, UsageError
from scribe.grounding import Grounding
from scribe.plumbing.progress import show_progress
from scribe.trajectory import Exchange, Task
from tools import lexicon
from tools.build import toolbox
from tools.embedder import Embedder
from tools.embedder import embedder as embedder_named
from tools.search.vault import Vault

if TYPE_CHECKING:  # see `tools.build`
    from tools.web_search import WebSearch

MakeBackend = Callable[[Settings], Backend]
"""What turns settings into a model; tests put a scripted one in its place."""


@dataclass(frozen=True, slots=True)
class Assistant:
    """One course, one model, any of its students. Safe to share among threads as its backend is.

    web: the optional tenth tool.
    """

    course: Course
    backend: Backend
    vault: Vault
    settings: Settings
    web: "WebSearch | None" = None

    def student(self, student_id: str) -> Student:
        """One student of the course. Raises UsageError with the closest ids."""
        return student(self.course, student_id)

    def agent(self, student_id: str) -> Agent:
        """An agent whose tools are bound to this student. Raises UsageError for an unknown id."""
        answer = self.settings.answer
        return CrisisGuard(
            self.backend,
            toolbox(self.course, self.student(student_id).id, self.vault, web=self.web),
            Grounding(lexicon.make(self.course, load_catalogue())),
            DIALECTS[self.settings.model.dialect](),
            Limits(answer.steps, answer.faults, answer.repeats, redraws=answer.redraws),
            Sampling(answer.temperature, answer.top_p, answer.seed, answer.max_tokens, answer.certainty),
            self.settings.model.backend != "api",
            knows_tools(self.settings),
            answer.help,
        )

    def warm(self) -> None:
        """Load the search model, which takes seconds, before the first question needs it."""
        self.vault.embedder.embed(["warm"], role="query")

    def task(self, student_id: str, question: str, theory: str | None = None, history: Sequence[Exchange] = ()) -> Task:
        """A question of this student as a task. Raises UsageError for what cannot be used."""
        kind = theory or self.settings.courses.theory
        return tasks.task(self.course, self.student(student_id), question, kind, history)


def assistant(settings: Settings, course: Course, make: MakeBackend | None = None) -> Assistant:
    """All parts for one course. Raises UsageError or BackendError."""
    return assemble(settings, course, (make or backend)(settings))


def assemble(settings: Settings, course: Course, model: Backend) -> Assistant:
    """All parts for one course around a model."""
    return Assistant(course, model, Vault(embedder(settings)), settings, web(settings))


def web(settings: Settings) -> "WebSearch | None":
    """The web search, if the settings name one. Raises UsageError for an address that cannot be used."""
    if not settings.tools.searxng:
        return None
    from tools.web_search import WebSearch

    return WebSearch(settings.tools.searxng, settings.tools.allow_remote)


def embedder(settings: Settings) -> Embedder:
    """What the search compares texts with. Raises ModelFileError if it needs a folder that is not given."""
    return embedder_named(settings.search.embedder, settings.search.path)


def is_ours(settings: Settings) -> bool:
    """Whether the model is the small one that comes with Scribe."""
    return settings.model.backend != "api" and not settings.model.path


def knows_tools(settings: Settings) -> bool:
    """Whether the model knows rules and tools by heart. Raises UsageError for a web search, unknown to ours."""
    from data.pretrained.shipped import ADAPTER

    if settings.model.prompt != "auto":
        return settings.model.prompt == "learned"
    if not is_ours(settings) or not ADAPTER.exists():
        return False
    if settings.tools.searxng:
        raise UsageError(
            "the model that comes with Scribe has not learnt to search the web; name another with --model, or leave"
            " searxng out of [tools]"
        )
    return True


def backend(settings: Settings) -> Backend:
    """The model that the settings name. Raises BackendError, or UsageError for a path that is needed."""
    # Each of these imports takes seconds, and only one is needed.
    model = settings.model
    match model.backend:
        case "llama":
            from scribe.backends.llama import LlamaBackend

            return LlamaBackend(
                model_file(settings),
                model.context,
                model.threads or None,
                model.parallel,
                model.keep_mb,
                model.waiting,
                model.adapter or None,
                Path(model.prefixes).expanduser() if model.prefixes else None,
            )
        case "hf":
            from scribe.backends.hf import HfBackend

            quantization = None if model.quantization == "none" else model.quantization
            return HfBackend(model_file(settings), model.adapter or None, quantization, context=model.context)
        case "api":
            from scribe.backends.api import ApiBackend

            if not model.path:
                raise UsageError("the api backend needs the model's name there; give it with --model")
            return ApiBackend(model.base_url, model.path)


def model_file(settings: Settings) -> Path:
    """The GGUF file or the model folder that the settings name, or ours, made ready first if need be.

    Raises ModelFileError if it is missing.
    """
    if settings.model.path:
        path = Path(settings.model.path).expanduser()
        if not path.exists():
            raise ModelFileError(f"there is no model at {path}; give --model a file or folder that exists")
        return path
    if settings.model.backend == "hf":
        raise UsageError("the model that comes with Scribe runs on llama.cpp; for hf give a folder with --model PATH")
    from data.pretrained.shipped import open_shipped_gguf

    with show_progress() as tell:
        return open_shipped_gguf(tell=tell)


def course(settings: Settings, name: str | None = None) -> Course:
    """The course of this name, id or alias. Raises UsageError if there is none, BundleError if broken."""
    wanted = name or settings.courses.course
    try:
        return bundle.find(wanted, courses_folder(settings))
    except bundle.BrokenBundle:
        raise
    except BundleError as error:
        raise UsageError(f"{error}; `scribe courses list` shows them") from error


def courses_folder(settings: Settings) -> Path:
    """Where the bundles lie."""
    return Path(settings.courses.folder) if settings.courses.folder else bundle.COURSES


def student(course: Course, student_id: str) -> Student:
    """One student of a course. Raises UsageError with the closest ids and how to list all."""
    try:
        return course.student(student_id)
    except UnknownStudent as error:
        raise UsageError(f"{error}; `scribe students --course {course.id}` lists all") from error
