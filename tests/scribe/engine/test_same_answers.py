"""Real prompts, many at once: the engine writes what the same model writes one prompt after the other."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from data.bundle import find
from data.course import Course
from data.pretrained.package import find_base_gguf
from eval.bench.engine.same_answers import OneAtATime
from scribe.backend import Completion, Constraint, Sampling
from scribe.backends.llama import LlamaBackend
from scribe.gguf.model import GgufModel
from scribe.messages import Message
from scribe.tool import Toolbox
from scribe.transcript import opening
from tests.tools.small_course import ScriptedEmbedder
from tools.conversation import make_task
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox

CONTEXT = 2048
BRIEF = Sampling(max_tokens=12)
"""Few tokens: with many, two that are all but equally likely may change places by rounding."""
TWELVE = [f"s{number:03}" for number in range(1, 13)]


@pytest.fixture(scope="module")
def together() -> Iterator[LlamaBackend]:
    backend = LlamaBackend(find_base_gguf(), CONTEXT, threads=1, parallel=3)
    yield backend
    backend.close()


@pytest.fixture(scope="module")
def course() -> Course:
    return find("dsp")


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> VectorStore:
    return VectorStore(ScriptedEmbedder(), tmp_path_factory.mktemp("vectors"))


def tools(course: Course, student: str, vault: VectorStore) -> Toolbox:
    return make_toolbox(course, student, vault)


@pytest.mark.timeout(900)  # seconds of work, minutes where others work too
def test_every_token_is_the_same_and_what_is_nobodys_is_read_once(
    together: LlamaBackend, course: Course, vault: VectorStore
) -> None:
    asked = [
        (student, opening(make_task(course, student, "Why?"), tools(course, student, vault).listing))
        for student in TWELVE[:3]
    ]
    held = Constraint(tools(course, "s001", vault).schemas, frozenset({"call", "answer"}))
    plain = OneAtATime(GgufModel(find_base_gguf(), CONTEXT, threads=1))
    alone = [plain.complete(prompt, BRIEF, held) for _, prompt in asked]

    def complete(each: tuple[str, tuple[Message, ...]]) -> Completion:
        return together.complete(each[1], BRIEF, held, None, each[0])

    with ThreadPoolExecutor(3) as pool:
        joined = list(pool.map(complete, asked))
    assert [said.token_ids for said in joined] == [said.token_ids for said in alone]
    assert max(together.engine.counters().together) > 1
    again = complete(asked[0])
    assert again.token_ids == alone[0].token_ids and again.cached_tokens > again.prompt_tokens / 2


def test_the_prompts_of_all_students_begin_with_the_same_public_text(course: Course, vault: VectorStore) -> None:
    made = [opening(make_task(course, student, "Why?"), tools(course, student, vault).listing)[0] for student in TWELVE]
    assert len({message.content[: message.public] for message in made}) == 1
    assert len({message.content for message in made}) == 12
