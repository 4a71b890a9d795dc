"""What a stage will take on a card: trainable weights, memory and time, each with the terms it is made of.

From the model's shape alone; no weights are needed. `scribe train --dry-run` prints it.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from finetune.llama import LlamaShape
from finetune.lora.loss import AT_ONCE
from finetune.settings import StageSettings
from scribe.errors import UsageError

GIB = 1 << 30
REACHED = 0.35
"""Of the stated arithmetic, what training of this kind is assumed to reach; see `finetune.bench.one_step`."""

_NF4_BYTES = 0.5 + 1 / 64 + 4 / (64 * 256)
"""Four bits, a byte for 64 weights, and four bytes for 256 of these (double quantisation)."""


@dataclass(frozen=True, slots=True)
class Card:
    """An accelerator: its name, memory in GiB, and stated dense bf16 TFLOP/s."""

    name: str
    gib: float
    tflops: float


@dataclass(frozen=True, slots=True)
class TrainingWork:
    """What is trained on: rows, ids of a mean row, how many of them it shares with its neighbours, and its labels."""

    rows: int = 7000
    tokens: int = 2000
    shared: int = 1400
    labels: int = 250


@dataclass(frozen=True, slots=True)
class CostTerm:
    """One addend: what it is, the formula with its numbers, and what it gives."""

    what: str
    formula: str
    value: float


@dataclass(frozen=True, slots=True)
class TrainingEstimate:
    """A stage's memory in bytes and work in FLOP, by term, and the trainable weights."""

    trainable: int
    memory: tuple[CostTerm, ...]
    work: tuple[CostTerm, ...]

    @property
    def gib(self) -> float:
        """All memory together, in GiB."""
        return sum(term.value for term in self.memory) / GIB

    def hours(self, card: Card) -> float:
        """How long it takes on a card."""
        return sum(term.value for term in self.work) / (card.tflops * 1e12 * REACHED) / 3600


def estimate_training(
    shape: LlamaShape, settings: StageSettings, work: TrainingWork = TrainingWork()
) -> TrainingEstimate:
    """What one stage takes with these settings."""
    memory, flops = _list_memory(shape, settings, work), _list_work(shape, settings, work)
    return TrainingEstimate(shape.adapter_weights(settings.rank), tuple(memory), tuple(flops))


def count_computed(settings: StageSettings, work: TrainingWork) -> tuple[int, float]:
    """Ids in a full pass, and ids computed for one row: what a micro-batch shares is computed once for all."""
    own = work.tokens - work.shared
    fitting = max(1, (settings.max_tokens_per_batch - work.shared) // max(own, 1))
    together = min(settings.micro_batch_size, fitting, settings.batch_size)
    return work.shared + together * own, own + work.shared / together


def _list_memory(shape: LlamaShape, settings: StageSettings, work: TrainingWork) -> list[CostTerm]:
    each = 4 if settings.precision == "f32" else 2
    linear = _NF4_BYTES if settings.load_in_4bit else each
    trained = shape.adapter_weights(settings.rank)
    size, _ = count_computed(settings, work)
    kept = each * size * shape.width * shape.layers
    inside = each * size * _count_inside(shape, settings.rank)
    formula = f"{each} B x {size} ids x {_count_inside(shape, settings.rank):,}"
    places = min(AT_ONCE, settings.micro_batch_size * work.labels)
    alive = [
        CostTerm("layers' inputs", f"{each} B x {size} ids x {shape.width} x {shape.layers} layers", kept),
        CostTerm("inside one layer", formula, inside),
    ]
    if not settings.gradient_checkpointing:
        alive = [CostTerm("inside all layers", f"{formula} x {shape.layers} layers", inside * shape.layers)]
    return [
        CostTerm("linear weights", f"{linear:.3g} B x {shape.linear_weights:,}", linear * shape.linear_weights),
        CostTerm("word tables and norms", f"{each} B x {shape.table_weights:,}", each * shape.table_weights),
        CostTerm("adapter, gradient, Adam", f"(4 + 4 + 8) B x {trained:,}", 16 * trained),
        *([CostTerm("adapter cast to bf16", f"2 B x {trained:,}", 2 * trained)] if each == 2 else []),
        *alive,
        CostTerm("logits", f"10 B x {places} labels x {shape.vocabulary:,}", 10 * places * shape.vocabulary),
    ]


def _count_inside(shape: LlamaShape, rank: int) -> int:
    """Numbers that one layer keeps of an id for its backward pass: norms, projections, heads, gates, LoRA's A x."""
    heads = (2 * shape.heads + 2 * shape.kv_heads) * shape.head
    return 8 * shape.width + 2 * heads + 5 * shape.inner + 7 * rank


def _list_work(shape: LlamaShape, settings: StageSettings, work: TrainingWork) -> list[CostTerm]:
    again = 2 if settings.gradient_checkpointing else 0
    _, own = count_computed(settings, work)
    total = work.rows * settings.epochs * own
    trained = shape.adapter_weights(settings.rank)
    labels = work.rows * settings.epochs * work.labels
    base, lora = 4 + again, 6 + again
    linear, seen = shape.linear_weights, work.tokens / 2
    attention = (6 + again) * 2 * shape.heads * shape.head * shape.layers * seen
    return [
        CostTerm("linear modules", f"{base} x {linear:,} x {total:,.0f} ids", base * linear * total),
        CostTerm("adapter", f"{lora} x {trained:,} x {total:,.0f} ids", lora * trained * total),
        CostTerm("attention", f"{attention:,.0f} x {total:,.0f} ids", attention * total),
        CostTerm(
            "head",
            f"4 x {shape.vocabulary:,} x {shape.width} x {labels:,.0f} labels",
            4 * shape.vocabulary * shape.width * labels,
        ),
    ]


def read_cards() -> Mapping[str, Card]:
    """The cards that are known by name."""
    told = tomllib.loads(files("finetune.lora").joinpath("cards.toml").read_text(encoding="utf-8"))
    return {name: Card(name, float(row["gib"]), float(row["tflops"])) for name, row in told.items()}


def find_card(name: str) -> Card:
    """A card by its name, or as `GiB:TFLOPs`. Raises UsageError naming what there is."""
    known = read_cards()
    if name in known:
        return known[name]
    gib, _, tflops = name.partition(":")
    try:
        return Card(name, float(gib), float(tflops))
    except ValueError as error:
        raise UsageError(f"there is no card {name}; write GiB:TFLOPs or one of: {', '.join(known)}") from error


def format_estimate(made: TrainingEstimate, on: Card) -> list[str]:
    """The estimate for reading, each number with how it came about."""
    told = [f"trainable weights: {made.trainable:,}", "memory:"]
    told += [f"  {term.value / GIB:8.2f} GiB  {term.what}: {term.formula}" for term in made.memory]
    fits = "fits" if made.gib < on.gib * 0.95 else "does not fit; try load_in_4bit = true, a lower rank or fewer tokens"
    told += [f"  {made.gib:8.2f} GiB  in all; {on.name} has {on.gib:g}: {fits}", "work:"]
    told += [f"  {term.value / 1e15:8.2f} PFLOP  {term.what}: {term.formula}" for term in made.work]
    whole = sum(term.value for term in made.work) / 1e15
    told += [f"  {whole:8.2f} PFLOP  in all, at {REACHED:.0%} of {on.tflops:g} TFLOP/s: {made.hours(on):.2f} hours"]
    return told
