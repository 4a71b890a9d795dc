"""MiniLM in NumPy beside MiniLM as sentence-transformers runs it."""

import json
import math
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer
from threadpoolctl import ThreadpoolController

from scribe.plumbing.errors import ModelFileError
from tools.embedding.embedders import MINILM_PACKAGE, MiniLM
from tools.embedding.minilm import FEW, Network, Numbers, gelu

PACKAGED = Path(str(files(MINILM_PACKAGE))) / "model"
WORDS = "why did the score of my Regularity drop in week 5 of dsp , and what is aliasing ? pourquoi l'échantillonnage"
TEXTS = (
    *("", " ", "\0", "a\0b", "?!…", "?", "why?", "WHY Did My Score DROP?", "[SEP] x [MASK] [PAD]", "\u200b\ufeff\xad"),
    *("c'est quoi l'échantillonnage ?", "Où en suis-je à l'École ?", "é́́", "ÀÉÎÕÜ çñ ß İı", "naïve café", "œuvre Ω x²"),
    *("🦆🦆", "👩‍👩‍👧 family", "什么是采样定理?", "信号 dsp 处理", "ما هو", "что такое", "한국어 질문", "नमस्ते"),
    *(
        "\t tabs\nand\r\nlines ",
        "x" * 99,
        "x" * 101,
        "1234567890.5e-3",
        "E[X] = \\sum_{i} p_i x_i",
        "https://example.org/a?b=c#d",
    ),
    "don't can't we'll",
    *("word " * count for count in (94, 95, 254, 255, 500)),
    *(" ".join(WORDS.split()[i % 7 :: 1 + i % 3] * (1 + i)) for i in range(9)),
)


@pytest.fixture(scope="module")
def torches() -> Any:
    return SentenceTransformer(str(PACKAGED), device="cpu")


def close(ours: Numbers, theirs: Numbers) -> None:
    assert ours.dtype == np.float32 and ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() < 1e-5
    assert (ours * theirs).sum(axis=1).min() > 0.99999


def test_vectors_are_those_of_sentence_transformers(torches: Any) -> None:
    theirs = torches.encode(list(TEXTS), normalize_embeddings=True, show_progress_bar=False)
    close(MiniLM().embed(TEXTS), theirs)
    close(np.concatenate([MiniLM().embed([text], "query") for text in TEXTS[:12]]), theirs[:12])


def test_tokens_are_those_of_sentence_transformers(torches: Any) -> None:
    theirs = torches.tokenizer(list(TEXTS), truncation=True, max_length=256)["input_ids"]
    assert Network(PACKAGED).tokenize(TEXTS) == theirs


def test_half_a_surrogate_pair_is_nothing_and_a_whole_one_what_it_stands_for() -> None:
    embed = MiniLM().embed
    ours = embed(["a \ud800 b", "\udfff", "\ud83e\udd86 why"])
    np.testing.assert_allclose(ours, embed(["a b", "", "🦆 why"]), atol=1e-6)


def test_no_texts_have_no_rows() -> None:
    assert MiniLM().embed([]).shape == (0, 384)


def test_gelu_is_exact_to_a_millionth() -> None:
    numbers = np.linspace(-12, 12, 40_001, dtype=np.float32)
    exact = np.array([x / 2 * math.erfc(-x / math.sqrt(2)) for x in numbers.tolist()])
    gelu(numbers)
    assert np.abs(numbers - exact).max() < 1e-6


def test_a_package_that_is_damaged_or_not_there_is_named(tmp_path: Path) -> None:
    wrong = "has SHA-256 .*expected 53aa51172d14.*install the model again"
    for content, told in ((None, "is missing; install the model again"), (b"no weights", wrong)):
        if content:
            (tmp_path / "model.safetensors").write_bytes(content)
        broken = MiniLM(tmp_path)
        for _ in range(2):
            with pytest.raises(ModelFileError, match=told):
                broken.embed(["why?"], "query")


@pytest.mark.parametrize("damaged", ["tokenizer.json", "config.json", "sentence_bert_config.json"])
@pytest.mark.parametrize("content", ["", "{}", "[]", None])
def test_other_files_that_are_damaged_are_named(tmp_path: Path, damaged: str, content: str | None) -> None:
    for path in PACKAGED.glob("*.*"):
        (tmp_path / path.name).symlink_to(path)
    (tmp_path / damaged).unlink()
    if content is not None:
        (tmp_path / damaged).write_text(content)
    with pytest.raises(ModelFileError, match=r"is not all-MiniLM-L6-v2 .*install the model again"):
        MiniLM(tmp_path).embed(["why?"])


def test_one_embedder_serves_many_threads() -> None:
    shared, found = MiniLM(), dict[int, Numbers]()
    expected = shared.embed(TEXTS)

    def ask(place: int) -> None:
        found[place] = shared.embed(TEXTS[place : place + 1 + place % 6])

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for place in range(16):
        np.testing.assert_allclose(found[place], expected[place : place + 1 + place % 6], atol=1e-5)


def test_few_texts_take_one_thread_and_give_the_others_back() -> None:
    # Built with OpenMP, as faiss has it, OpenBLAS has another number in each thread.
    blas = ThreadpoolController().select(user_api="blas").select(threading_layer="pthreads")
    embed, long = MiniLM().embed, "word " * 254
    embed(["loaded"])

    def threads() -> set[int]:
        return {each["num_threads"] for each in blas.info()}

    def watched(done: threading.Event) -> set[int]:
        found = threads()
        while not done.wait(0.001):
            found |= threads()
        return found

    with blas.limit(limits=2), ThreadPoolExecutor(1) as pool:
        for texts, fewest in ((1, 1), (FEW, 1), (FEW + 1, 2)):
            done = threading.Event()
            watching = pool.submit(watched, done)
            embed([long] * texts)  # in this thread: threadpoolctl lets no other one set the number meanwhile
            done.set()
            assert min(watching.result()) == fewest
            assert threads() == {2}


def test_the_first_questions_of_two_threads_read_the_model_once() -> None:
    script = """
import json, sys, threading
from tools.embedding.embedders import MiniLM
read = []
def listen(event, given):
    if event == "mmap.__new__" or event == "open" and str(given[0]).endswith("model.safetensors"):
        read.append(event)
sys.addaudithook(listen)
together = threading.Barrier(2)
def ask(embedder):
    together.wait()
    embedder.embed(["why?"], "query")
asking = [threading.Thread(target=ask, args=(each,)) for each in (MiniLM(), MiniLM())]
for thread in asking:
    thread.start()
for thread in asking:
    thread.join()
print(json.dumps(sorted(read)))
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert json.loads(out) == ["mmap.__new__", "open", "open"]  # mapped once; opened for that and to be hashed


HEAVY = ("torch", "transformers", "sentence_transformers")


def test_a_question_is_embedded_without_torch() -> None:
    script = """
import json, sys
from tools.embedding.embedders import MiniLM
rows = MiniLM().embed(["why was week 3 so bad?"], "query")
print(json.dumps([rows.shape, sorted({name.split(".")[0] for name in sys.modules})]))
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    shape, modules = json.loads(out)
    assert shape == [1, 384]
    assert not set(HEAVY) & set(modules)
