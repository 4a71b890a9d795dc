"""What can be set of an assistant; each class is a table of the settings file, each field a key."""

import dataclasses
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, get_args

from annotated_types import Ge, Gt, Le, Lt

BackendName = Literal["llama", "hf", "api"]
Quantization = Literal["none", "4bit", "8bit"]
DialectName = Literal["markers", "toolace", "llama"]
PromptName = Literal["auto", "full", "learned"]
EmbedderName = Literal["minilm", "bge-small", "bilingual-embedding-base"]

BACKENDS: tuple[str, ...] = get_args(BackendName)
DIALECT_NAMES: tuple[str, ...] = get_args(DialectName)
PROMPT_NAMES: tuple[str, ...] = get_args(PromptName)


@dataclass(frozen=True, slots=True)
class LanguageModelSettings:
    """Which model answers. `path`: a GGUF file, a folder, or what the API calls it; empty: ours.

    prompt: full tells the model its rules and tools, learned leaves them to its training; auto is learned for ours.
    context: tokens of prompt and answer together. threads: of the CPU, 0 for all cores. adapter: LoRA, a folder for
    hf, a GGUF file for llama. Of llama only: parallel, conversations worked on at once, each of which takes the memory
    of a whole context; keep_mb, megabytes of what was read and may be of use again; waiting, requests that may wait;
    prefixes, a folder in which the prompt's part that is the same for all students is kept between runs, if named.
    """

    backend: BackendName = "llama"
    path: str = ""
    base_url: str = "http://127.0.0.1:8000/v1"
    adapter: str = ""
    quantization: Quantization = "none"
    dialect: DialectName = "markers"
    prompt: PromptName = "auto"
    context: Annotated[int, Ge(256)] = 4096
    threads: Annotated[int, Ge(0), Le(1024)] = 0
    parallel: Annotated[int, Ge(1), Le(100)] = 4
    keep_mb: Annotated[int, Ge(0)] = 512
    waiting: Annotated[int, Ge(1)] = 64
    prefixes: str = ""


@dataclass(frozen=True, slots=True)
class AnswerSettings:
    """How an answer is drawn and when a question is given up; see `Sampling` and `Limits`.

    help: whom students in danger can turn to on this campus, added to what they are told (`tools.assembly.crisis`).
    """

    temperature: Annotated[float, Ge(0)] = 0.0
    top_p: Annotated[float, Gt(0), Le(1)] = 1.0
    seed: Annotated[int, Ge(0)] = 0
    max_tokens: Annotated[int, Ge(16)] = 512
    steps: Annotated[int, Ge(1)] = 8
    faults: Annotated[int, Ge(0)] = 3
    repeats: Annotated[int, Ge(1)] = 1
    redraws: Annotated[int, Ge(0)] = 3
    certainty: Annotated[float, Ge(0), Lt(1)] = 0.4
    help: str = ""


@dataclass(frozen=True, slots=True)
class CourseSettings:
    """Where bundles lie (empty: with the package), the course and the kind of report when none is named."""

    folder: str = ""
    course: str = "dsp"
    theory: str = "nr"


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What compares texts by meaning. `path`: the folder with its weights, which minilm needs not; never downloaded."""

    embedder: EmbedderName = "minilm"
    path: str = ""


@dataclass(frozen=True, slots=True)
class ToolSettings:
    """`searxng`: the address of a SearXNG whose settings allow JSON; empty: there is no web search.

    allow_remote: whether it may be outside this machine and private networks; what students search for goes there.
    """

    searxng: str = ""
    allow_remote: bool = False


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Where the page listens, and how many earlier exchanges a question carries."""

    host: str = "127.0.0.1"
    port: Annotated[int, Ge(1), Le(65535)] = 7860
    history: Annotated[int, Ge(1)] = 3


@dataclass(frozen=True, slots=True)
class AssistantSettings:
    """All of them; each field is a table of the file."""

    model: LanguageModelSettings = field(default_factory=LanguageModelSettings)
    answer: AnswerSettings = field(default_factory=AnswerSettings)
    courses: CourseSettings = field(default_factory=CourseSettings)
    search: SearchSettings = field(default_factory=SearchSettings)
    tools: ToolSettings = field(default_factory=ToolSettings)
    chat: ChatSettings = field(default_factory=ChatSettings)

    def with_changes(self, table: str, **values: Any) -> "AssistantSettings":
        """The same settings with some keys of one table replaced; those that are None stay."""
        given = {key: value for key, value in values.items() if value is not None}
        return dataclasses.replace(self, **{table: dataclasses.replace(getattr(self, table), **given)})
