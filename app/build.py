"""Settings to working parts: the course, the model, and an agent for each student."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from app import task as tasks
from app.distress import CaringAgent
from app.parts import PartingAgent
from app.settings import Settings
from data import bundle
from data.bundle import EMBEDDED, HINTS, PAIRS, WORDS
from data.catalogue import load_catalogue
from data.course import BundleError, Course, Student, UnknownStudent
from scribe import neighbours
from scribe.agent import Agent, Limits, freely
from scribe.backend import Backend, Sampling
from scribe.dialect import DIALECTS
from scribe.errors import ModelFileError, UsageError
from scribe.grounding import Grounding
from scribe.quoting import Check, Quoting, load_words
from scribe.trajectory import Exchange, Task
from tools import lexicon
from tools.build import toolbox
from tools.embedder import Embedder
from tools.embedder import embedder as embedder_named
from tools.reading.first_thought import openings
from tools.reading.hints import Hints
from tools.reading.known_questions import READ
from tools.reading.naming import naming as naming_of
from tools.reading.reader import embedder_for, load
from tools.search.vault import Vault
from tools.task import LANGUAGES, code, hinted

if TYPE_CHECKING:  # see `tools.build`
    from tools.web_search import WebSearch

MakeBackend = Callable[[Settings], Backend]
"""What turns settings into a model; tests put a scripted one in its place."""


@dataclass(frozen=True, slots=True)
class Assistant:
    """One course, one model, any of its students. Safe to share among threads as its backend is.

    own_words: of a model that only quotes, the words it may add; see `scribe.quoting`. own_pairs: pairs of words
    likewise. web: the optional tenth tool.
    """

    course: Course
    backend: Backend
    vault: Vault
    settings: Settings
    hints: Hints
    own_words: frozenset[str] | None = None
    web: "WebSearch | None" = None
    own_pairs: frozenset[neighbours.Pair] | None = None

    def student(self, student_id: str) -> Student:
        """One student of the course. Raises UsageError with the closest ids."""
        return student(self.course, student_id)

    def agent(self, student_id: str) -> Agent:
        """An agent whose tools are bound to this student. Raises UsageError for an unknown id."""
        tools = toolbox(self.course, self.student(student_id).id, self.vault, web=self.web)
        check: Check = Grounding(lexicon.make(self.course, load_catalogue()))
        if self.own_words is not None:
            check = Quoting(check, self.own_words, self.own_pairs)
        answer = self.settings.answer
        agent = CaringAgent(
            self.backend,
            tools,
            check,
            DIALECTS[self.settings.model.dialect](),
            Limits(answer.steps, answer.faults, answer.repeats),
            Sampling(answer.temperature, answer.top_p, answer.seed, answer.max_tokens, self.copying),
            openings if self.own_words is not None else freely,
            answer.help,
        )
        # A large model sees both questions by itself, and may answer them with the same calls.
        if self.own_words is None or not answer.parts:
            return agent
        return PartingAgent.of(agent, lru_cache(maxsize=4)(self.hinted))  # each step of a part asks for its hint

    @property
    def copying(self) -> float:
        """How much the prompt's own words count: nothing for a model that writes freely."""
        return self.settings.answer.copying if self.own_words is not None else 0.0

    def warm(self) -> None:
        """Load the search model and what reads questions, which takes seconds, before the first question needs them."""
        self.vault.embedder.embed(["warm"], role="query")
        self.hints("warm")

    def task(self, student_id: str, question: str, theory: str | None = None, history: Sequence[Exchange] = ()) -> Task:
        """A question of this student as a task. Raises UsageError for what cannot be used."""
        kind = theory or self.settings.courses.theory
        return self.hinted(tasks.task(self.course, self.student(student_id), question, kind, history))

    def hinted(self, task: Task) -> Task:
        """The task with a hint on what it asks, and without a history that it does not lean on.

        A small model is led astray by earlier exchanges that a question has nothing to do with.
        """
        before = self.hints.before(task.history)
        history = task.history if before is not None and self.hints.leans(task.question, before) else ()
        naming = naming_of(self.course, self.vault)
        asked = self.hints(task.question, task.history)
        hint = hinted(asked, task.question, naming, history, code(task.language))
        return replace(task, hint=hint, history=history)


def assistant(settings: Settings, course: Course, make: MakeBackend | None = None) -> Assistant:
    """All parts for one course. Raises UsageError or BackendError."""
    ours = make is None and is_ours(settings)
    if ours:
        refuse_language(course)
    return over(settings, course, (make or backend)(settings), ours)


def refuse_language(course: Course) -> None:
    """Raise UsageError if our small model cannot speak the course's language."""
    if course.language not in READ:
        raise UsageError(
            f"the model that comes with Scribe knows {' and '.join(LANGUAGES[each] for each in READ)}, and "
            f"{course.title} ({course.id}) is taught in {LANGUAGES.get(course.language, course.language)}; "
            "give another with --model PATH or --backend api"
        )


def over(settings: Settings, course: Course, model: Backend, ours: bool) -> Assistant:
    """All parts for one course around a model; `ours`: the small one that comes with Scribe, which only quotes.

    Another one only quotes if its own words lie beside it, as beside what was trained from ours; it is taken for one
    whose first thought begins as in our lessons.
    """
    vault = Vault(embedder(settings))
    # In a language that they were not learned in they would only mislead.
    wanted = settings.answer.hints and course.language in READ
    head = load(hints_file(settings)) if wanted else None
    # They read the questions with the embedder that they were learned for, whatever searches.
    hints = Hints(embedder_for(head, vault.embedder) if head else vault.embedder, head)
    words = EMBEDDED / WORDS if ours else _beside(settings, WORDS)
    own = load_words(words) if words else None
    pairs = neighbours.load(words.with_name(PAIRS)) if words else None
    return Assistant(course, model, vault, settings, hints, own, web(settings), pairs)


def web(settings: Settings) -> "WebSearch | None":
    """The web search, if the settings name one. Raises UsageError for an address that cannot be used."""
    if not settings.tools.searxng:
        return None
    from tools.web_search import WebSearch

    return WebSearch(settings.tools.searxng, settings.tools.allow_remote)


def hints_file(settings: Settings) -> Path:
    """The hints that were exported with the model, or ours."""
    return _beside(settings, HINTS) or EMBEDDED / HINTS


def _beside(settings: Settings, name: str) -> Path | None:
    """What `finetune.export` laid beside the model that the settings name; None if there is nothing."""
    if settings.model.backend == "api" or not settings.model.path:
        return None
    path = Path(settings.model.path).expanduser().parent / name
    return path if path.is_file() else None


def embedder(settings: Settings) -> Embedder:
    """What the search compares texts with. Raises ModelFileError if it needs a folder that is not given."""
    return embedder_named(settings.search.embedder, settings.search.path)


def is_ours(settings: Settings) -> bool:
    """Whether the model is the small one that comes with Scribe."""
    return settings.model.backend != "api" and not settings.model.path


def copying(settings: Settings) -> float:
    """What `Assistant.copying` will be for the model that the settings name, without loading it."""
    return settings.answer.copying if is_ours(settings) or _beside(settings, WORDS) else 0.0


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
    """The GGUF file or the model folder that the settings name, or ours. Raises ModelFileError if missing."""
    ours = EMBEDDED / ("hf" if settings.model.backend == "hf" else "model.gguf")
    path = Path(settings.model.path).expanduser() if settings.model.path else ours
    if path.exists():
        return path
    if settings.model.path:
        raise ModelFileError(f"there is no model at {path}; give --model a file or folder that exists")
    raise ModelFileError(
        f"the model that comes with Scribe is missing: {path}; clone the repository again, or name another "
        "model with --model PATH"
    )


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
