"""What a stage will take on a card: trainable weights and memory, each with the terms it is made of.

From the model's sizes alone; no weights are needed. `scribe train --dry-run` prints it.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from math import prod

from transformers import LlamaConfig

from finetune.llama import count_adapter_weights, count_linear_weights, count_table_weights
from finetune.lora.loss import AT_ONCE
from finetune.settings import StageSettings
from scribe.plumbing.errors import UsageError

GIB = 1 << 30

_NF4_BYTES = 0.5 + 1 / 64 + 4 / (64 * 256)
"""Four bits, a byte for 64 weights, and four bytes for 256 of these (double quantisation)."""


@dataclass(frozen=True, slots=True)
class Card:
    """An accelerator: its name and memory in GiB."""

    name: str
    gib: float


@dataclass(frozen=True, slots=True)
class TrainingWork:
    """What is trained on: rows, ids of a mean row, how many of them it shares with its neighbours, and its labels."""

    rows: int = 7000
    tokens: int = 2000
    shared: int = 1400
    labels: int = 250


class CostTerm:
    """One addend: what it is, and the numbers that are multiplied, each with what it counts."""

    def __init__(self, what: str, *factors: tuple[float, str]) -> None:
        self.what = what
        self.formula = " x ".join(f"{round(number, 2):,} {unit}" for number, unit in factors)
        self.value = prod(number for number, _ in factors)


@dataclass(frozen=True, slots=True)
class TrainingEstimate:
    """A stage's memory in bytes, by term, and the trainable weights."""

    trainable: int
    memory: tuple[CostTerm, ...]

    @property
    def gib(self) -> float:
        """All memory together, in GiB."""
        return sum(term.value for term in self.memory) / GIB


def estimate_training(
    llama: LlamaConfig, settings: StageSettings, work: TrainingWork = TrainingWork()
) -> TrainingEstimate:
    """What one stage takes with these settings."""
    return TrainingEstimate(count_adapter_weights(llama, settings.rank), tuple(_list_memory(llama, settings, work)))


def count_computed(settings: StageSettings, work: TrainingWork) -> int:
    """Ids in a full pass: what a micro-batch shares is computed once for all."""
    own = work.tokens - work.shared
    fitting = max(1, (settings.max_tokens_per_batch - work.shared) // max(own, 1))
    together = min(settings.micro_batch_size, fitting, settings.batch_size)
    return work.shared + together * own


def _list_memory(llama: LlamaConfig, settings: StageSettings, work: TrainingWork) -> list[CostTerm]:
    each = 4 if settings.precision == "f32" else 2
    trained = count_adapter_weights(llama, settings.rank)
    bytes_of_ids = (each, "B"), (count_computed(settings, work), "ids")
    layers = (llama.num_hidden_layers, "layers")
    # What a layer keeps of an id for its backward pass: norms, projections, heads, gates, LoRA's A x.
    heads = 2 * (llama.num_attention_heads + llama.num_key_value_heads) * llama.head_dim
    inside = (8 * llama.hidden_size + 2 * heads + 5 * llama.intermediate_size + 7 * settings.rank, "numbers")
    if settings.gradient_checkpointing:
        alive = [
            CostTerm("layers' inputs", *bytes_of_ids, (llama.hidden_size, "numbers"), layers),
            CostTerm("inside one layer", *bytes_of_ids, inside),
        ]
    else:
        alive = [CostTerm("inside all layers", *bytes_of_ids, inside, layers)]
    linear = (_NF4_BYTES if settings.load_in_4bit else each, "B")
    places = min(AT_ONCE, settings.micro_batch_size * work.labels)
    return [
        CostTerm("linear weights", linear, (count_linear_weights(llama), "weights")),
        CostTerm("word tables and norms", (each, "B"), (count_table_weights(llama), "weights")),
        CostTerm("adapter, gradient, Adam", (4 + 4 + 8, "B"), (trained, "weights")),
        *([CostTerm("adapter cast to bf16", (2, "B"), (trained, "weights"))] if each == 2 else []),
        *alive,
        CostTerm("logits", (10, "B"), (places, "labels"), (llama.vocab_size, "words")),
    ]


def find_card(name: str) -> Card:
    """A card of cards.toml by its name, or its GiB. Raises UsageError naming what there is."""
    known: Mapping[str, float] = tomllib.loads(
        files("finetune.lora").joinpath("cards.toml").read_text(encoding="utf-8")
    )
    if name in known:
        return Card(name, known[name])
    if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", name) and float(name) > 0:
        return Card(name, float(name))
    raise UsageError(f"there is no card {name}; write its GiB or one of: {', '.join(known)}")


def format_estimate(made: TrainingEstimate, on: Card) -> list[str]:
    """The estimate for reading, each number with how it came about."""
    told = [f"trainable weights: {made.trainable:,}", "memory:"]
    told += [f"  {term.value / GIB:8.2f} GiB  {term.what}: {term.formula}" for term in made.memory]
    fits = "fits" if made.gib < on.gib * 0.95 else "does not fit; try load_in_4bit = true, a lower rank or fewer tokens"
    return [*told, f"  {made.gib:8.2f} GiB  in all; {on.name} has {on.gib:g}: {fits}"]
