"""llama.cpp and transformers: the same model gives the same turn, whichever runs it."""

import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from finetune.export import export_gguf
from scribe.backend import Completion, Constraint, Sampling
from scribe.backends.hf import HfBackend
from scribe.backends.llama import LlamaBackend
from scribe.decoding.generation import ROOM, RUN, draw
from scribe.messages import OPENER, Message
from scribe.plumbing.errors import ContextFull, ModelFileError
from tests.scribe.backends.tiny import make_model

Local = LlamaBackend | HfBackend
PROMPT = (Message("system", "You are Scribe."), Message("user", "What is week 3 about?"))
SHORT = Sampling(max_tokens=12)


@pytest.fixture(params=["llama", "hf"])
def backend(request: pytest.FixtureRequest) -> Local:
    found: Local = request.getfixturevalue(request.param)
    return found


def test_greedy_turns_are_equal(llama: LlamaBackend, hf: HfBackend) -> None:
    assert llama.complete(PROMPT, SHORT).text == hf.complete(PROMPT, SHORT).text != ""


def test_a_model_of_another_chat_format_is_run_alike_and_held_to_its_tools(tmp_path: Path, tools: Constraint) -> None:
    folder = make_model(tmp_path / "smollm2", kind="smollm2")
    file = export_gguf(folder, tmp_path / "model.gguf")
    backends = LlamaBackend(file, context=2048, threads=1), HfBackend(folder, device="cpu")
    free, held = ([each.complete(PROMPT, SHORT, how).text for each in backends] for how in (None, tools))
    assert free[0] == free[1] != ""
    assert held[0] == held[1] != free[0]


def test_the_seed_decides_a_sampled_turn(backend: Local) -> None:
    def said(seed: int) -> str:
        return backend.complete(PROMPT, Sampling(1.0, 0.95, seed, max_tokens=12)).text

    assert said(1) == said(1)
    assert len({said(1), said(2), said(3)}) > 1


def test_a_turn_that_reaches_its_limit_says_so_and_counts(backend: Local) -> None:
    said = backend.complete(PROMPT, Sampling(max_tokens=5))
    assert (said.finish, said.completion_tokens) == ("length", 5)
    assert said.prompt_tokens > 20


def test_a_longer_prompt_reuses_what_it_shares_and_says_the_same(backend: Local, folder: Path) -> None:
    first = backend.complete(PROMPT, SHORT, owner="s1")
    again = (*PROMPT, Message("assistant", f"[REASONING]{first.text}"), Message("user", "And week 4?"))
    warm = backend.complete(again, SHORT, owner="s1")
    backend.complete((Message("user", "Something else."),), SHORT, owner="s1")
    cold = backend.complete(again, SHORT, owner="s2")
    assert warm.cached_tokens >= first.prompt_tokens
    assert cold.cached_tokens <= 2
    assert warm.text == cold.text


def test_the_same_prompt_again_gives_the_same_turn(backend: Local) -> None:
    first = backend.complete(PROMPT, SHORT, owner="s1")
    second = backend.complete(PROMPT, SHORT, owner="s1")
    assert (second.text, second.cached_tokens) == (first.text, first.prompt_tokens - RUN)


def test_a_turn_is_streamed_as_it_is_returned(backend: Local) -> None:
    shown: list[str] = []
    said = backend.complete(PROMPT, Sampling(1.0, seed=4, max_tokens=40), on_text=shown.append)
    assert "".join(shown) == said.text
    assert len(shown) > 3


def test_whoever_watches_can_cancel_and_the_next_turn_is_unharmed(backend: Local) -> None:
    plain = backend.complete(PROMPT, SHORT)
    assert backend.complete(PROMPT, SHORT, on_text=lambda _: False).finish == "cancelled"
    assert backend.complete(PROMPT, SHORT).text == plain.text


def test_a_watcher_that_fails_is_heard_and_the_next_turn_is_unharmed(backend: Local) -> None:
    def fail(_: str) -> None:
        raise RuntimeError("the browser is gone")

    plain = backend.complete(PROMPT, SHORT)
    with pytest.raises(RuntimeError, match="browser"):
        backend.complete(PROMPT, SHORT, on_text=fail)
    assert backend.complete(PROMPT, SHORT).text == plain.text


def test_a_prompt_without_room_for_a_turn_is_refused(gguf: Path) -> None:
    small = LlamaBackend(gguf, context=256, threads=1)
    fitting = [Message("user", "x " * 40)]
    assert small.complete(fitting, Sampling(max_tokens=500)).prompt_tokens < 256 - ROOM
    with pytest.raises(ContextFull) as problem:
        small.complete([Message("user", "x " * 300)], SHORT)
    assert problem.value.context == 256
    assert problem.value.prompt_tokens > 256 - ROOM


def test_two_threads_take_turns(llama: LlamaBackend) -> None:
    prompts = [(Message("user", f"What is week {week} about?"),) for week in range(4)]
    alone = [llama.complete(prompt, SHORT).text for prompt in prompts]
    together: dict[int, Completion] = {}

    def ask(at: int) -> None:
        together[at] = llama.complete(prompts[at], SHORT)

    threads = [threading.Thread(target=ask, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[at].text for at in range(4)] == alone


def test_a_model_says_which_file_it_is(llama: LlamaBackend, hf: HfBackend, gguf: Path) -> None:
    assert (llama.info["backend"], llama.info["name"]) == ("llama", gguf.name)
    assert (hf.info["backend"], hf.info["name"]) == ("hf", "tiny")
    assert len(llama.info["sha256"]) == len(hf.info["sha256"]) == 12


def test_the_hash_is_of_the_file_that_was_loaded(gguf: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(gguf.read_bytes())
    backend = LlamaBackend(other, threads=1)
    before = backend.info["sha256"]
    other.write_bytes(gguf.read_bytes() + b"\0")
    assert backend.info["sha256"] == before
    assert LlamaBackend(other, threads=1).info["sha256"] != before


def test_files_that_are_no_model_are_named(gguf: Path, tmp_path: Path) -> None:
    text, cut = tmp_path / "model.txt", tmp_path / "cut.gguf"
    text.write_text("weights")
    cut.write_bytes(gguf.read_bytes()[: gguf.stat().st_size // 2])
    for path, words in ((tmp_path / "no.gguf", "no readable"), (text, "not a GGUF"), (cut, "again")):
        with pytest.raises(ModelFileError, match=words) as problem:
            LlamaBackend(path)
        assert str(path) in str(problem.value)


def test_a_folder_that_is_no_model_is_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="tokenizer"):
        HfBackend(tmp_path)
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    with pytest.raises(ModelFileError, match="cannot be loaded"):
        HfBackend(tmp_path, device="cpu")


def test_a_model_with_another_chat_format_is_refused(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for file in folder.iterdir():
        text = file.read_bytes()
        if file.name == "tokenizer.json":
            text = text.replace(b"<|eot_id|>", b"<|im_stop|>")
        (other / file.name).write_bytes(text)
    with pytest.raises(ModelFileError, match="eot_id"):
        HfBackend(other, device="cpu")


def test_llama_cpp_is_silent(gguf: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(gguf.read_bytes()[:-1000])
    code = (
        "import sys; from scribe.backends.llama import LlamaBackend\n"
        f"LlamaBackend({str(gguf)!r})\n"
        f"try: LlamaBackend({str(cut)!r})\nexcept Exception: pass\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout + said.stderr == ""


@pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing:FutureWarning")
def test_an_adapter_changes_what_is_said_and_four_bits_still_speak(folder: Path, tmp_path: Path) -> None:
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    torch.manual_seed(1)
    plain = AutoModelForCausalLM.from_pretrained(folder)
    config = LoraConfig(r=2, target_modules="all-linear", init_lora_weights=False, task_type="CAUSAL_LM")
    get_peft_model(plain, config).save_pretrained(tmp_path)
    adapted = HfBackend(folder, tmp_path, device="cpu")
    assert adapted.complete(PROMPT, SHORT).text != HfBackend(folder, device="cpu").complete(PROMPT, SHORT).text
    assert adapted.info["name"] == f"tiny+{tmp_path.name}"
    four = HfBackend(folder, tmp_path, "4bit", device="cpu")
    assert four.complete(PROMPT, SHORT).text


def test_the_nucleus_leaves_out_the_unlikely() -> None:
    logits = np.log(np.array([0.5, 0.3, 0.15, 0.05], dtype=np.float32))
    random = np.random.default_rng(0)
    drawn = [draw(logits, Sampling(1.0, top_p=0.7), random) for _ in range(400)]
    assert set(drawn) == {0, 1}
    assert 0.55 < drawn.count(0) / len(drawn) < 0.7
    everything = [draw(logits, Sampling(1.0), random) for _ in range(400)]
    assert set(everything) == {0, 1, 2, 3}


def test_a_greedy_turn_cut_and_gone_on_with_is_the_same_turn(backend: Local, tools: Constraint) -> None:
    said = backend.complete(PROMPT, Sampling(max_tokens=60), tools)
    whole, cut = said.text, _cut(backend, said)
    begun = Message("assistant", OPENER + whole[:cut], open=True)
    rest = backend.complete((*PROMPT, begun), Sampling(max_tokens=60), replace(tools, begun=whole[:cut])).text
    assert (whole[:cut] + rest).startswith(whole)


def _cut(backend: Local, said: Completion) -> int:
    """The last place at which the tokenizer, given the text up to there, makes the same tokens that the model wrote."""
    opener, written = backend.chat.encode(OPENER, False), list(said.token_ids)
    for cut in range(len(said.text) - 1, 0, -1):
        ids = backend.chat.encode(OPENER + said.text[:cut], False)
        if ids == opener + written[: len(ids) - len(opener)]:
            return cut
    raise AssertionError("no text of this turn is tokenized as it was written")
