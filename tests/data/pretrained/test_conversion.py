"""The base model as its package carries it, and as a folder for transformers."""

import random
from pathlib import Path

import gguf
import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

from data.bundle import COURSES
from data.pretrained.adapter import to_halves, to_pairs
from data.pretrained.conversion import build_tokenizer, convert_gguf, describe_tokenizer
from data.pretrained.package import FOLDER_SHA256, find_base_gguf
from scribe.backends.hf import chat_tokenizer
from scribe.backends.weights import hash_weights
from scribe.gguf.file import GgufFile
from scribe.gguf.model import GgufModel

ODD = "aé漢😀 \n\t\r12३Ⅷ½²'\".,\u200b\u0301\u00a0\x00\x1f\x7fÿß[]{}العربيةкирил👩‍👧x=½·cos(2πn)<|im_end|>don't"
QUESTION = "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n"


@pytest.fixture(scope="session")
def reader() -> gguf.GGUFReader:
    return gguf.GGUFReader(find_base_gguf())


@pytest.fixture(scope="session")
def tokenizer(reader: gguf.GGUFReader) -> Tokenizer:
    return build_tokenizer(reader)


@pytest.fixture(scope="session")
def file() -> GgufFile:
    return GgufFile(find_base_gguf())


def texts() -> list[str]:
    """Pieces of all courses' files in both languages, this program, and what nobody would write."""
    files = [*COURSES.glob("*/*.md"), *COURSES.glob("*/reports/*1*.md"), *COURSES.glob("*/*.jsonl"), Path(__file__)]
    read = [path.read_text(encoding="utf-8")[:1500] for path in sorted(files)]
    chance = random.Random(0)
    odd = ["".join(chance.choice(ODD) for _ in range(chance.randint(1, 60))) for _ in range(500)]
    return [*read, *odd, "<|im_start|>system\nhi<|im_end|>", "<repo_name>", "   \n\n  x", " 12 345,678.90 week12", ""]


@pytest.mark.parametrize("special", [True, False])
def test_the_tokenizer_gives_the_ids_that_llama_cpp_gives(special: bool, tokenizer: Tokenizer, file: GgufFile) -> None:
    tokenizer.encode_special_tokens = not special
    given = texts()
    assert len(given) > 600
    for text in given:
        assert tokenizer.encode(text, add_special_tokens=False).ids == file.encode(text, special), repr(text[:60])


def test_control_tokens_are_known_by_name_and_stay_text_when_they_are_somebodys(tokenizer: Tokenizer) -> None:
    names = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<repo_name>")
    assert [tokenizer.token_to_id(name) for name in names] == [0, 1, 2, 3]
    tokenizer.encode_special_tokens = True
    for name in names:
        ids = tokenizer.encode(name, add_special_tokens=False).ids
        assert min(ids) > 16 and tokenizer.decode(ids) == name


def test_transformers_is_told_which_tokens_begin_and_end_and_how_a_chat_is_written(reader: gguf.GGUFReader) -> None:
    said = describe_tokenizer(reader)
    assert (said["bos_token"], said["eos_token"], said["unk_token"]) == ("<|im_start|>", "<|im_end|>", "<|endoftext|>")
    assert "<|im_start|>" in said["chat_template"]


def test_rows_go_back_to_where_transformers_has_them() -> None:
    weights = np.arange(12, dtype=np.float32).reshape(12, 1)  # two heads of six dimensions, as pairs
    assert to_halves(weights, 2).ravel().tolist() == [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]
    assert (to_pairs(to_halves(weights, 2), 2) == weights).all()


def test_the_folder_says_what_the_file_says_and_is_the_one_that_adapters_name(file: GgufFile, tmp_path: Path) -> None:
    convert_gguf(find_base_gguf(), tmp_path / "hf")
    assert hash_weights(tmp_path / "hf") == FOLDER_SHA256
    chat, network = chat_tokenizer(tmp_path / "hf"), AutoModelForCausalLM.from_pretrained(tmp_path / "hf")
    ids = file.encode(QUESTION, True)
    with torch.inference_mode():
        said = network.generate(torch.tensor([ids]), max_new_tokens=12, do_sample=False)[0].tolist()
        wanted = network(torch.tensor([said])).logits[0].numpy()
    assert said[len(ids) :] == [*file.encode("The capital of France is Paris.", False), chat.end_of_turn]
    context = GgufModel(find_base_gguf(), 128, threads=1)
    found = [context.evaluate(0, said[:at]) for at in range(len(ids), len(said))]
    assert [int(logits.argmax()) for logits in found] == said[len(ids) :]
    assert all(np.corrcoef(one, other)[0, 1] > 0.995 for one, other in zip(found, wanted[len(ids) - 1 :], strict=False))
