"""The verifier itself: LoRA and a value head on a language model, trained by the mean squared error (equation 3).

Ids, pooling and head are those of `scribe.verify`, so that what runs is what was trained. Only the head is trained
where `rank` is 0: the hidden states are then computed once for all folds.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from annotated_types import Ge, Gt
from numpy.typing import NDArray
from peft import LoraConfig, get_peft_model
from torch import Tensor
from transformers import DynamicCache

from finetune.adapters import note_base, write_adapter
from finetune.verifier.packing import EncodedSample, group_by_dialogue, grow_tree
from finetune.verifier.rivals import fit_head, list_rewards
from finetune.verifier.samples import TurnSample
from scribe.backends.hf import Quantization, encoder, load_network
from scribe.plumbing.errors import UsageError
from scribe.plumbing.progress import OnCount
from scribe.verify.value_head import HeadSettings, Pooling, ValueHead, save_head
from scribe.verify.verifier_input import encode_verifier_input

Numbers = NDArray[np.float64]
TARGETS = ("q_proj", "v_proj")


@dataclass(frozen=True, slots=True)
class VerifierSettings:
    """How a verifier is trained. rank: of the adapter on queries and values (the authors'), 0 for the head alone.

    head_rate: of the head, which begins from nothing; rate: of the adapter. longest: tokens of a sample; of a longer
    one the oldest are left out. layers: so many of the last ones get the adapter, 0 for all. half: train in bf16.
    four_bits: hold the base in NF4, for a model of 7B.
    """

    rank: Annotated[int, Ge(0)] = 8
    alpha: Annotated[float, Gt(0)] = 16.0
    dropout: Annotated[float, Ge(0)] = 0.05
    epochs: Annotated[int, Ge(1)] = 3
    batch: Annotated[int, Ge(1)] = 16
    rate: Annotated[float, Gt(0)] = 2e-4
    head_rate: Annotated[float, Gt(0)] = 1e-3
    decay: Annotated[float, Ge(0)] = 0.001
    longest: Annotated[int, Ge(8)] = 2048
    pooling: Pooling = "all"
    layers: Annotated[int, Ge(0)] = 0
    half: bool = False
    four_bits: bool = False
    device: str = ""
    seed: int = 0


class VerifierNetwork:
    """A base with a fresh adapter and head. base: a folder for transformers; lower: what `settings.layers` leaves as it
    is of each dialogue, kept from one network to the next. Raises ModelFileError or UsageError.
    """

    def __init__(self, base: Path, settings: VerifierSettings, lower: dict[int, Tensor] | None = None) -> None:
        self._base, self.settings = base, settings
        self._device = settings.device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._encode = encoder(base)
        self._lower = {} if lower is None else lower
        quantization: Quantization | None = "4bit" if settings.four_bits else None
        network: Any = load_network(base, None, quantization, self._device)
        if settings.half:
            network = network.to(torch.bfloat16)
        self._frozen = _count_frozen(network, settings)
        torch.manual_seed(settings.seed)
        if settings.rank:
            network = get_peft_model(network, self._make_config())
        else:
            network.requires_grad_(False)
        self._network: Any = network
        size = int(self._network.config.hidden_size)
        self._head = ValueHead(HeadSettings(size, settings.pooling)).to(self._device)
        torch.nn.init.zeros_(self._head.linear.weight)

    def train(self, samples: Sequence[TurnSample], on_count: OnCount) -> float:
        """Learn the samples' rewards; gives the mean loss of the last epoch. Raises UsageError without samples."""
        if not samples:
            raise UsageError("no samples to train the verifier on")
        given, weights = self.settings, [each for each in self._network.parameters() if each.requires_grad]
        groups = [
            {"params": list(self._head.parameters()), "lr": given.head_rate},
            *([{"params": weights, "lr": given.rate}] if weights else []),
        ]
        optimizer = torch.optim.AdamW(groups, weight_decay=given.decay)
        dialogues = list(group_by_dialogue(samples))
        order = [
            list(_fill_steps(dialogues, given.batch, random.Random(given.seed + at))) for at in range(given.epochs)
        ]
        steps = sum(map(len, order))
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda done: max(0.0, 1 - done / steps))
        losses, done = list[float](), 0
        self._network.train()
        for epoch in order:
            losses = []
            for step in epoch:
                losses.append(self._step(step, optimizer))
                schedule.step()
                done += 1
                on_count(done, steps)
        self._network.eval()
        return sum(losses) / len(samples)

    def foretell(self, samples: Sequence[TurnSample]) -> Numbers:
        """Rewards (N,), dialogue by dialogue."""
        found: dict[int, float] = {}
        with torch.inference_mode():
            for rows in group_by_dialogue(samples):
                rewards = self._value(rows).tolist()
                found |= {id(row): reward for row, reward in zip(rows, rewards, strict=True)}
        return np.array([found[id(each)] for each in samples])

    def pool(self, samples: Sequence[TurnSample], on_count: OnCount) -> Numbers:
        """Means of the last hidden states (N, D), as the head takes them; what a sample shares with the one before, as
        turns of a dialogue and dialogues on a task do, is read once.
        """
        cache, known, states = DynamicCache(config=self._network.config), list[int](), torch.zeros(0)
        means = list[Numbers]()
        with torch.inference_mode():
            for done, each in enumerate(samples, start=1):
                before, after = self._encode_sample(each)
                ids = [*before, *after]
                shared = min(_count_shared(known, ids), len(ids) - 1)
                if shared < len(known):
                    cache.crop(shared - len(known))
                said = self._network(
                    torch.tensor([ids[shared:]], device=self._device),
                    past_key_values=cache,
                    use_cache=True,
                    output_hidden_states=True,
                    logits_to_keep=1,
                )
                new = said.hidden_states[-1][0].float().cpu()
                known, states = ids, torch.cat([states[:shared], new]) if shared else new
                start = 0 if self.settings.pooling == "all" else len(before)
                means.append(states[start:].mean(0).double().numpy())
                on_count(done, len(samples))
        return np.array(means)

    def take_head(self, weights: Numbers, bias: float) -> None:
        """Set the head (D,): one that was trained on pooled states."""
        with torch.no_grad():
            self._head.linear.weight.copy_(torch.tensor(weights)[None, :])
            self._head.linear.bias.fill_(bias)

    def save(self, folder: Path) -> None:
        """Write head and adapter as `HfVerifier` reads them."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.settings.rank:
            named = {name: w for name, w in self._network.named_parameters() if ".default." in name}
            config = self._make_config()
            config.base_model_name_or_path = self._base.name
            write_adapter(folder, {name.replace(".default.", "."): w for name, w in named.items()}, config)
            note_base(folder, self._base)
        save_head(self._head.to("cpu"), folder)

    def _step(self, dialogues: Sequence[Sequence[TurnSample]], optimizer: torch.optim.Optimizer) -> float:
        """One step on whole dialogues; gives the sum of their samples' losses."""
        total, count = 0.0, sum(map(len, dialogues))
        for rows in dialogues:  # one at a time: the mean of gradients is the same
            wanted = torch.tensor([each.reward for each in rows], device=self._device)
            loss = torch.nn.functional.mse_loss(self._value(rows), wanted, reduction="sum")
            (loss / count).backward()  # type: ignore[no-untyped-call]
            total += loss.item()
        optimizer.step()
        optimizer.zero_grad()
        return total

    def _encode_sample(self, sample: TurnSample) -> EncodedSample:
        before, after = encode_verifier_input(sample.given, self._encode)
        return before[-max(1, self.settings.longest - len(after)) :], after

    def _value(self, rows: Sequence[TurnSample]) -> Tensor:
        """Rewards (N,) of samples of one dialogue, all of them or always the same."""
        tree = grow_tree([self._encode_sample(each) for each in rows], self.settings.pooling)
        model = (self._network.get_base_model() if self.settings.rank else self._network).model
        positions = torch.tensor(tree.positions, device=self._device)[None]
        kept = self._lower.get(rows[0].dialogue)
        if kept is None:
            kept = model.embed_tokens(torch.tensor(tree.ids, device=self._device))[None]
        turned = model.rotary_emb(kept, positions)
        sees = torch.tensor(tree.sees, device=self._device)
        mask = torch.zeros(sees.shape, dtype=kept.dtype, device=self._device)
        mask = mask.masked_fill_(~sees, torch.finfo(kept.dtype).min)[None, None]

        def run(layer: Any, hidden: Tensor) -> Tensor:
            said = layer(hidden, attention_mask=mask, position_ids=positions, position_embeddings=turned)
            return said if isinstance(said, Tensor) else said[0]

        if rows[0].dialogue not in self._lower:
            with torch.no_grad():
                for layer in model.layers[: self._frozen]:
                    kept = run(layer, kept)
            if self._frozen:
                self._lower[rows[0].dialogue] = kept
        for layer in model.layers[self._frozen :]:
            kept = run(layer, kept)
        means = torch.tensor(tree.means, device=self._device) @ model.norm(kept)[0].float()
        return self._head.value_mean(means)

    def _make_config(self) -> LoraConfig:
        given = self.settings
        return LoraConfig(
            r=given.rank,
            lora_alpha=given.alpha,
            lora_dropout=given.dropout,
            target_modules=list(TARGETS),
            layers_to_transform=list(range(self._frozen, self._frozen + given.layers)) if given.layers else None,
            task_type="CAUSAL_LM",
        )


@dataclass(frozen=True, slots=True)
class TrainedVerifier:
    """A verifier with its adapter, trained anew for each fold."""

    samples: Sequence[TurnSample]
    base: Path
    settings: VerifierSettings
    on_count: OnCount
    lower: dict[int, Tensor] = field(default_factory=dict)

    def foretell(self, learned: NDArray[np.bool_]) -> Numbers:
        """Rewards of all samples; those that were learned are not asked and get their own."""
        network = VerifierNetwork(self.base, self.settings, self.lower)
        network.train([each for each, taken in zip(self.samples, learned, strict=True) if taken], self.on_count)
        found = list_rewards(self.samples)
        found[~learned] = network.foretell(
            [each for each, taken in zip(self.samples, learned, strict=True) if not taken]
        )
        return found


@dataclass(frozen=True, slots=True)
class FrozenVerifier:
    """A head alone, on pooled states (N, D) of the base as it is."""

    samples: Sequence[TurnSample]
    means: Numbers

    def foretell(self, learned: NDArray[np.bool_]) -> Numbers:
        """Rewards (N,)."""
        weights, bias = fit_head(self.means[learned], list_rewards(self.samples)[learned])
        return np.asarray(1.0 / (1.0 + np.exp(-(self.means @ weights + bias))))


def _count_shared(one: Sequence[int], other: Sequence[int]) -> int:
    """How many ids both begin with."""
    apart = (at for at, (first, second) in enumerate(zip(one, other, strict=False)) if first != second)
    return next(apart, min(len(one), len(other)))


def _count_frozen(network: Any, settings: VerifierSettings) -> int:
    """How many layers below the adapter stay as they are. Raises UsageError."""
    there = int(network.config.num_hidden_layers)
    if settings.layers > there:
        raise UsageError(f"layers = {settings.layers}: the model has {there}")
    return there - settings.layers if settings.rank and settings.layers else 0


def _fill_steps(
    dialogues: Sequence[list[TurnSample]], batch: int, drawn: random.Random
) -> Iterator[list[list[TurnSample]]]:
    """The dialogues in a new order, as many together as have `batch` samples."""
    step = list[list[TurnSample]]()
    for rows in drawn.sample(dialogues, len(dialogues)):
        step.append(rows)
        if sum(map(len, step)) >= batch:
            yield step
            step = []
    if step:
        yield step
