"""Going on from a finished model with another vocabulary: what it has learned stays, new tokens begin as at birth."""

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor

from finetune.network import Network
from scribe.errors import UsageError

TABLES = ("model.embed_tokens.weight", "lm_head.weight")


@torch.no_grad()
def take(network: Network, tokenizer: Tokenizer, folder: Path) -> int:
    """Give the network the weights in a model's hf folder, and of its word tables the rows of tokens that both have.

    How many tokens these are. Heads and rotary angles must be ours, as in every model of ours. Raises UsageError if the
    model cannot be read or its matrices have other names or shapes.
    """
    weights, known = _read(folder)
    own_weights = network.state_dict()
    if strange := sorted(weights.keys() ^ own_weights.keys()):
        raise UsageError(f"{folder} is no model of this kind: {strange[0]} is in only one of the two")
    shared = [(own, known[token]) for token, own in tokenizer.get_vocab().items() if token in known]
    to, of = (torch.tensor(ids) for ids in zip(*shared, strict=True))
    for name, own in own_weights.items():
        given = weights[name]
        if name in TABLES and given.shape[1:] == own.shape[1:]:
            own[to] = given[of]
        elif given.shape == own.shape:
            own.copy_(given)
        else:
            raise UsageError(f"{folder}: {name} has the shape {tuple(given.shape)}, not {tuple(own.shape)}")
    return len(shared)


def _read(folder: Path) -> tuple[dict[str, Tensor], dict[str, int]]:
    """Weights by name, and ids by token."""
    try:
        weights = {name: value.float() for name, value in load_file(folder / "model.safetensors").items()}
        tokens = (folder / "tokenizer.json").read_text(encoding="utf-8")
        known: dict[str, int] = Tokenizer.from_str(tokens).get_vocab()
    except (OSError, SafetensorError, UnicodeDecodeError) as error:
        raise UsageError(f"no model in {folder}: {error}") from error
    return weights, known
