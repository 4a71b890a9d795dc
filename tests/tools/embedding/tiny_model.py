"""A sentence-transformers model so small that it is made anew for a test, with random weights."""

import json
import string
from pathlib import Path
from typing import Any

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
from transformers import BertConfig, BertModel, BertTokenizerFast

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ":"]
VOCABULARY += [*string.ascii_lowercase, *(f"##{letter}" for letter in string.ascii_lowercase)]

# Like a BERT whose token types are zeros that no checkpoint keeps.
OWN_CODE = """
import torch
from transformers import BertConfig, BertModel


class TwinConfig(BertConfig):
    model_type = "twin"


class TwinModel(BertModel):
    config_class = TwinConfig

    def __init__(self, config, **more):
        super().__init__(config, **more)
        self.register_buffer("own_token_type_ids", torch.zeros(1, 128, dtype=torch.long), persistent=False)

    def forward(self, input_ids, **more):
        more["token_type_ids"] = self.own_token_type_ids[:, : input_ids.shape[1]].expand(input_ids.shape)
        return super().forward(input_ids, **more)
"""


def save_tiny_model(folder: Path) -> Path:
    """Write one of the architecture BERT into a folder below this one; always the same."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    shape = BertConfig(vocab_size=len(VOCABULARY), max_position_embeddings=128, **sizes)
    BertModel(shape).save_pretrained(folder / "bert")
    tokenizer = BertTokenizerFast(vocab={word: place for place, word in enumerate(VOCABULARY)})
    tokenizer.save_pretrained(folder / "bert")
    whole = folder / "whole"
    SentenceTransformer(modules=[Transformer(str(folder / "bert")), Pooling(16)], device="cpu").save(str(whole))
    return whole


def with_own_code(folder: Path, before: str = "") -> Path:
    """Make the model in the folder one that brings its own code; `before` stands before the file's name."""
    (folder / "modeling.py").write_text(OWN_CODE, encoding="utf-8")
    named = {"AutoConfig": f"{before}modeling.TwinConfig", "AutoModel": f"{before}modeling.TwinModel"}
    change(folder / "config.json", model_type="twin", architectures=["TwinModel"], auto_map=named)
    return folder


def change(path: Path, **values: Any) -> None:
    """Set some keys of a JSON file."""
    told = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(told | values), encoding="utf-8")
