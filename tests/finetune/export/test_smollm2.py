"""SmolLM2's own tokenizer, in a model small enough for a test: to GGUF, through llama.cpp, and back."""

from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from transformers import AutoModelForCausalLM

from data.pretrained.conversion import build_tokenizer, convert_gguf
from data.pretrained.package import find_base_gguf
from finetune.export import export_gguf
from scribe.backends.hf import chat_tokenizer
from scribe.gguf.file import GgufFile
from scribe.gguf.model import GgufModel
from scribe.messages import Message
from tests.scribe.backends.tiny import make_model

TEXTS = (
    "Week 12: 345,678.90 € – don't <|im_end|> DON'T",
    "Où en suis-je ? 😀\n\n\t x[n]=½·cos(2πn)",
    "\x00\x7f é漢字\u200b",
)
END_KEYS = {"bos": 1, "eos": 2, "eot": 2}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tokenizer = build_tokenizer(gguf.GGUFReader(find_base_gguf()))
    return make_model(tmp_path_factory.mktemp("smollm2") / "hf", seed=3, kind="smollm2", tokenizer=tokenizer)


@pytest.fixture(scope="module")
def file(folder: Path) -> Path:
    return export_gguf(folder, folder.with_name("model.gguf"))


def test_llama_cpp_reads_every_text_and_prompt_as_the_folder_does(folder: Path, file: Path) -> None:
    ours, theirs = chat_tokenizer(folder), GgufFile(file).chat()
    for text in TEXTS:
        assert ours.encode(text, False) == theirs.encode(text, False)
        messages = [Message("system", text), Message("user", text), Message("tool", text)]
        assert ours.prompt_ids(messages) == theirs.prompt_ids(messages)


def test_the_logits_agree(folder: Path, file: Path) -> None:
    ids = chat_tokenizer(folder).prompt_ids([Message("user", TEXTS[0])])
    with torch.inference_mode():
        wanted = AutoModelForCausalLM.from_pretrained(folder)(torch.tensor([ids])).logits[0, -1].numpy()
    found = GgufModel(file, 512, threads=1).evaluate(0, ids)
    assert np.abs(found - wanted).max() < 0.03
    assert found.argmax() == wanted.argmax()


def test_the_file_says_which_tokens_begin_and_end_and_that_none_is_put_before(file: Path) -> None:
    reader = gguf.GGUFReader(file)
    for name, token in END_KEYS.items():
        assert reader.fields[f"tokenizer.ggml.{name}_token_id"].contents() == token
    assert reader.fields["tokenizer.ggml.add_bos_token"].contents() is False
    assert reader.fields["tokenizer.ggml.pre"].contents() == "smollm"


def test_the_file_converted_back_is_the_model_it_was_made_from(folder: Path, file: Path, tmp_path: Path) -> None:
    convert_gguf(file, tmp_path / "again")
    before, after = (load_file(path / "model.safetensors") for path in (folder, tmp_path / "again"))
    assert before.keys() == after.keys()
    for name, weights in before.items():
        assert np.abs(weights - after[name]).max() < 1e-3
    ours, again = chat_tokenizer(folder), chat_tokenizer(tmp_path / "again")
    assert all(ours.encode(text, special) == again.encode(text, special) for text in TEXTS for special in (True, False))
    ids = torch.tensor([ours.encode(TEXTS[1], False)])
    with torch.inference_mode():
        one, other = (AutoModelForCausalLM.from_pretrained(path)(ids).logits for path in (folder, tmp_path / "again"))
    assert torch.allclose(one, other, atol=0.02)
