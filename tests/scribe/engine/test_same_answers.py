"""The embedded model, real questions, many at once: the answers of one at a time."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from scribe.backends.copying import SHARE

from data.bundle import EMBEDDED, find
from eval.asking import Asking
from eval.bench.recorded import questions
from eval.bench.same_answers import OneAtATime
from scribe.backends.gguf_model import GgufModel
from scribe.backends.llama import LlamaBackend
from scribe.transcript import opening
from tools import task
from tools.build import toolbox
from tools.embedder import MiniLM
from tools.search.vault import Vault

MODEL = EMBEDDED / "model.gguf"


@pytest.fixture(scope="module")
def together() -> LlamaBackend:
    return LlamaBackend(MODEL, threads=1, parallel=3)


def test_every_step_of_every_answer_is_the_same(together: LlamaBackend) -> None:
    asked = questions(students=3, each=1)
    plain = Asking(OneAtATime(GgufModel(MODEL, 4096, threads=1)))
    alone = [plain.answer(written) for written in asked]
    asking = Asking(together)
    assert asking.sampling == plain.sampling
    assert asking.sampling.copying == SHARE  # as in the chat
    with ThreadPoolExecutor(3) as pool:
        joined = list(pool.map(asking.answer, asked))
    assert [done.steps for done in joined] == [done.steps for done in alone]
    assert max(together.engine.counters().together) > 1
    assert sum(done.usage.cached_tokens for done in joined) > sum(done.usage.prompt_tokens for done in joined) / 2


def test_the_prompts_of_all_students_begin_with_the_same_public_text() -> None:
    course, vault = find("dsp"), Vault(MiniLM())
    made = [
        opening(task.make(course, student, "Why?"), toolbox(course, student, vault).listing)[0]
        for student in sorted(course.students)[:12]
    ]
    assert len({message.content[: message.public] for message in made}) == 1
    assert len({message.content for message in made}) == 12
