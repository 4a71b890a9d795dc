"""Settings to the language model that answers, and to what searches compare texts with."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from scribe.backend import Backend
from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.plumbing.progress import show_progress
from tools.assembly.settings import AssistantSettings
from tools.embedding.embedders import Embedder, open_embedder

if TYPE_CHECKING:  # see `tools.toolbox`
    from tools.web_search import WebSearch

MakeBackend = Callable[[AssistantSettings], Backend]
"""What turns settings into a model: `make_backend`, or what gives tests a scripted one."""


def make_backend(settings: AssistantSettings) -> Backend:
    """The model that the settings name. Raises BackendError, or UsageError for a path that is needed."""
    # Each of these imports takes seconds, and only one is needed.
    model = settings.model
    match model.backend:
        case "llama":
            from scribe.backends.llama import LlamaBackend

            return LlamaBackend(
                locate_model(settings),
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
            return HfBackend(locate_model(settings), model.adapter or None, quantization, context=model.context)
        case "api":
            from scribe.backends.api import ApiBackend

            if not model.path:
                raise UsageError("the api backend needs the model's name there; give it with --model")
            return ApiBackend(model.base_url, model.path)
        case unopened:
            assert_never(unopened)


def locate_model(settings: AssistantSettings) -> Path:
    """The model file or folder that is named, or ours, made ready if need be. Raises ModelFileError if missing."""
    if settings.model.path:
        path = Path(settings.model.path).expanduser()
        if not path.exists():
            raise ModelFileError(f"there is no model at {path}; give --model a file or folder that exists")
        return path
    if settings.model.backend == "hf":
        raise UsageError("the model that comes with Scribe runs on llama.cpp; for hf give a folder with --model PATH")
    from data.pretrained.shipped import open_shipped_gguf

    with show_progress() as on_progress:
        return open_shipped_gguf(tell=on_progress)


def knows_tools(settings: AssistantSettings) -> bool:
    """Whether the model knows rules and tools by heart. Raises UsageError for a web search, unknown to ours."""
    from data.pretrained.shipped import ADAPTER

    if settings.model.prompt != "auto":
        return settings.model.prompt == "learned"
    if settings.model.backend == "api" or settings.model.path or not ADAPTER.exists():
        return False
    if settings.tools.searxng:
        raise UsageError(
            "the model that comes with Scribe has not learnt to search the web; name another with --model, or leave"
            " searxng out of [tools]"
        )
    return True


def make_embedder(settings: AssistantSettings) -> Embedder:
    """What the search compares texts with. Raises ModelFileError if it needs a folder that is not given."""
    return open_embedder(settings.search.embedder, settings.search.path)


def make_web_search(settings: AssistantSettings) -> "WebSearch | None":
    """The web search, if the settings name one. Raises UsageError for an address that cannot be used."""
    if not settings.tools.searxng:
        return None
    from tools.web_search import WebSearch

    return WebSearch(settings.tools.searxng, settings.tools.allow_remote)
