"""The verifier's last layer: hidden states to one reward, and its files.

As in the paper a linear layer on the mean of the last hidden states (appendix A.2); unlike the authors' code, padding
is left out of the mean, and a logistic function keeps the reward in [0, 1]. Training and use share this class.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import torch
from pydantic import TypeAdapter
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from scribe.plumbing.errors import ModelFileError
from scribe.verify.verifier_input import INPUT_VERSION

HEAD_VERSION = 1
SETTINGS, WEIGHTS = "value_head.json", "value_head.safetensors"
ADAPTER_SIGN = "adapter_config.json"
Pooling = Literal["all", "response"]


@dataclass(frozen=True, slots=True)
class HeadSettings:
    """What a head was trained with.

    size: of a hidden state. pooling: whether the mean is over all tokens, or those of the candidate alone.
    input_version: of `write_verifier_input`.
    """

    size: int
    pooling: Pooling = "all"
    version: int = HEAD_VERSION
    input_version: int = INPUT_VERSION


class ValueHead(torch.nn.Module):
    """σ(w · mean(h) + b)."""

    def __init__(self, settings: HeadSettings) -> None:
        super().__init__()
        self.settings = settings
        self.linear = torch.nn.Linear(settings.size, 1)

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """Rewards (B,) of hidden states (B, S, D); mask (B, S) is 1 for the tokens of the mean and 0 for all others."""
        weights = mask.to(torch.float32)[..., None]
        total = (hidden.to(torch.float32) * weights).sum(1)
        return self.value_mean(total / weights.sum(1).clamp(min=1.0))

    def value_mean(self, mean: Tensor) -> Tensor:
        """Rewards (B,) of means (B, D)."""
        return torch.sigmoid(self.linear(mean)[:, 0])


def save_head(head: ValueHead, folder: Path) -> None:
    """Write a head into the folder of its adapter; who writes the folder sees to it that it appears whole."""
    (folder / SETTINGS).write_text(json.dumps(asdict(head.settings), indent=1) + "\n", encoding="utf-8")
    save_file({name: value.detach().contiguous() for name, value in head.state_dict().items()}, folder / WEIGHTS)


def load_head(folder: Path) -> ValueHead:
    """The head in a folder. Raises ModelFileError if it is absent, damaged or of another version."""
    path = folder / SETTINGS
    if not path.is_file():
        raise ModelFileError(f"{folder}: no verifier in it ({SETTINGS} is missing); finetune.verifier trains one")
    try:
        settings = TypeAdapter(HeadSettings).validate_json(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: not readable ({str(error).splitlines()[0]})") from error
    found, wanted = (settings.version, settings.input_version), (HEAD_VERSION, INPUT_VERSION)
    if found != wanted:
        raise ModelFileError(
            f"{path}: a verifier of version {found[0]} for inputs of version {found[1]}; this Scribe has "
            f"{wanted[0]} and {wanted[1]}; train it again"
        )
    head = ValueHead(settings)
    try:
        head.load_state_dict(load_file(folder / WEIGHTS))
    except (OSError, RuntimeError, SafetensorError) as error:
        raise ModelFileError(f"{folder / WEIGHTS}: not the weights of this head ({error})") from error
    return head.eval()
