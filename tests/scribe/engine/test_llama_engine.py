"""The engine over llama.cpp itself: the same turns as one at a time, whatever else is under way."""

import gc
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gguf as gguf_format
import numpy as np
import pytest
from llguidance.llamacpp import lltokenizer_from_vocab

from scribe.backend import Completion, Constraint, Sampling
from scribe.backends.llama import LlamaBackend
from scribe.decoding.grammar import Grammars
from scribe.gguf.model import GgufModel
from scribe.messages import Message
from scribe.plumbing.errors import ModelFileError, UsageError

RULES = "You are Scribe and help one student with a feedback report. Copy numbers exactly. " * 4
NEAR = 0.03
"""Logits that differ by less may swap places when tokens are evaluated in other company; they are around 4 here."""
REPORTS = {name: f"In week {week} you watched {week + 7} videos, {name}." for week, name in enumerate("abcdef")}


def prompt(name: str, question: str) -> list[Message]:
    return [Message("system", RULES + REPORTS[name], len(RULES)), Message("user", question)]


@pytest.fixture(scope="module")
def alone(gguf: Path) -> GgufModel:
    return GgufModel(gguf, 2048, threads=1)


def engine(gguf: Path, **settings: Any) -> LlamaBackend:
    return LlamaBackend(gguf, **{"context": 2048, "threads": 1, **settings})


@pytest.mark.parametrize("held_to_tools", [False, True])
def test_every_token_written_together_is_the_likeliest_to_a_model_that_is_alone(
    gguf: Path, alone: GgufModel, tools: Constraint, held_to_tools: bool
) -> None:
    backend = engine(gguf, parallel=5)
    constraint = tools if held_to_tools else None
    asked = [(name, f"What about week {week}?") for name in REPORTS for week in (3, 8)]

    def ask(name: str, question: str) -> Completion:
        return backend.complete(prompt(name, question), Sampling(max_tokens=30), constraint, owner=name)

    with ThreadPoolExecutor(9) as pool:
        said = list(pool.map(lambda each: ask(*each), asked))
    for each, turn in zip(asked, said, strict=True):
        assert off_the_best(alone, prompt(*each), turn.token_ids, constraint) < NEAR
    assert len({turn.text for turn in said}) > 4
    counters = backend.engine.counters()
    assert max(counters.together) == 5
    assert counters.prompt_tokens_cached > counters.prompt_tokens_evaluated


def off_the_best(
    model: GgufModel, messages: list[Message], written: Sequence[int], constraint: Constraint | None
) -> float:
    """How far the logit of a token is at most below the best one that is allowed."""
    held, pending, worst = 0, model.chat.prompt_ids(messages), 0.0
    grammars = Grammars(lltokenizer_from_vocab(model.vocabulary))
    guide = grammars.guide(constraint) if constraint else None
    for token in written:
        logits = model.evaluate(held, pending)
        held, pending = held + len(pending), [token]
        allowed = logits if guide is None else guide.masked(logits)
        worst = max(worst, float(allowed.max() - allowed[token]))
        if guide is not None:
            guide.accept(token)
    return worst


def test_what_was_put_out_of_its_place_is_brought_back(gguf: Path, alone: GgufModel) -> None:
    backend = engine(gguf, parallel=1)
    for name in "abc":
        backend.complete(prompt(name, "What about week 3?"), Sampling(max_tokens=8), owner=name)
    again = backend.complete(prompt("a", "What about week 4?"), Sampling(max_tokens=20), owner="a")
    assert off_the_best(alone, prompt("a", "What about week 4?"), again.token_ids, None) < NEAR
    assert again.prompt_tokens - again.cached_tokens < 20


def test_nobodys_text_is_on_disk_and_read_after_a_restart(gguf: Path, alone: GgufModel, tmp_path: Path) -> None:
    first = engine(gguf, prefixes=tmp_path)
    one = first.complete(prompt("a", "Why?"), Sampling(max_tokens=12), owner="a")
    first.close()
    (file,) = tmp_path.iterdir()
    second = engine(gguf, prefixes=tmp_path, parallel=2)
    two = second.complete(prompt("b", "Why?"), Sampling(max_tokens=12), owner="b")
    cold = engine(gguf).complete(prompt("b", "Why?"), Sampling(max_tokens=12), owner="b")
    assert (one.cached_tokens, cold.cached_tokens, two.cached_tokens > 100) == (0, 0, True)
    assert two.text == cold.text
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    tokens = np.frombuffer(file.read_bytes().split(b"\n", 1)[1][: 4 * two.cached_tokens], "<i4")
    text = lltokenizer_from_vocab(alone.vocabulary).decode_str([int(token) for token in tokens])
    assert RULES.startswith(text.partition("\n\n")[2])


@pytest.mark.parametrize("harm", ["cut", "flipped", "foreign", "empty", "other version", "a list", "nested"])
def test_a_file_that_is_damaged_or_foreign_is_not_used(
    gguf: Path, tmp_path: Path, harm: str, caplog: pytest.LogCaptureFixture
) -> None:
    first = engine(gguf, prefixes=tmp_path)
    cold = first.complete(prompt("a", "Why?"), Sampling(max_tokens=12), owner="a")
    (file,) = tmp_path.iterdir()
    data = file.read_bytes()
    flipped = bytearray(data)
    flipped[-100] ^= 4
    file.write_bytes(
        {
            "cut": data[:-7],
            "flipped": bytes(flipped),
            "foreign": b"GGUF" + data,
            "empty": b"",
            "a list": b"[]\n" + data,
            "nested": b"[" * 100_000 + b"\n" + data,
            "other version": data.replace(b'"format": "', b'"format": "9'),
        }[harm]
    )
    again = engine(gguf, prefixes=tmp_path).complete(prompt("a", "Why?"), Sampling(max_tokens=12), owner="a")
    assert (again.cached_tokens, again.text) == (0, cold.text)
    assert file.name in caplog.text
    third = engine(gguf, prefixes=tmp_path).complete(prompt("a", "Why?"), Sampling(max_tokens=12), owner="a")
    assert third.cached_tokens > 100  # it was written anew


def test_a_folder_that_cannot_be_written_costs_no_answer(gguf: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    backend = engine(gguf, prefixes=tmp_path / "file")
    assert backend.complete(prompt("a", "Why?"), Sampling(max_tokens=5)).completion_tokens == 5


def test_an_adapter_changes_what_is_said(gguf: Path, tmp_path: Path) -> None:
    adapter = tmp_path / "adapter.gguf"
    write_adapter(adapter, 64)
    plain, adapted = engine(gguf), engine(gguf, adapter=adapter)
    said = [each.complete(prompt("a", "Why?"), Sampling(max_tokens=12)).text for each in (plain, adapted)]
    assert said[0] != said[1]
    assert adapted.info["name"] == f"{gguf.name}+adapter.gguf"
    assert adapted.info["sha256"] != plain.info["sha256"]


def test_what_is_no_adapter_of_this_model_is_named(gguf: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wide.gguf"
    write_adapter(wrong, 96)
    for path in (wrong, tmp_path / "none.gguf"):
        with pytest.raises(ModelFileError, match=r"not a LoRA adapter of this model") as problem:
            engine(gguf, adapter=path)
        assert str(path) in str(problem.value)


def write_adapter(path: Path, width: int) -> None:
    """A LoRA adapter of rank 2 for the first layer's queries, with large random weights."""
    random = np.random.default_rng(0)
    writer = gguf_format.GGUFWriter(path, "llama")
    writer.add_string("general.type", "adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", 8.0)
    for name, shape in (("lora_a", (2, width)), ("lora_b", (width, 2))):
        writer.add_tensor(f"blk.0.attn_q.weight.{name}", random.normal(size=shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def test_how_many_at_once_must_be_possible(gguf: Path) -> None:
    for parallel in (0, 101):
        with pytest.raises(UsageError, match="use 1 to 100"):
            engine(gguf, parallel=parallel)


def test_an_engine_that_is_let_go_ends_its_thread(gguf: Path) -> None:
    gc.collect()
    before = threading.active_count()
    backend = engine(gguf)
    backend.complete(prompt("a", "Why?"), Sampling(max_tokens=3))
    assert threading.active_count() == before + 1
    del backend
    gc.collect()
    assert threading.active_count() == before


def test_python_exits_at_once_and_silently_while_turns_are_under_way(gguf: Path) -> None:
    code = (
        "import threading\n"
        "from scribe.backend import Sampling\n"
        "from scribe.backends.llama import LlamaBackend\n"
        "from scribe.messages import Message\n"
        f"backend = LlamaBackend({str(gguf)!r}, threads=1)\n"
        "begun = threading.Barrier(4)\n"
        "def ask():\n"
        "    seen = []\n"
        "    def hear(text):\n"
        "        seen.append(text)\n"
        "        if len(seen) == 3: begun.wait()\n"
        "    try:\n"
        "        backend.complete([Message('user', 'Go on for ever.')], Sampling(max_tokens=100_000), None, hear)\n"
        "    except Exception as error:\n"
        "        assert 'closed' in str(error)\n"
        "for _ in range(3): threading.Thread(target=ask, daemon=True).start()\n"
        "begun.wait()\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")
