"""What a stage will take on a card: trainable weights, memory and time, each with the terms it is made of.

    python -m finetune.lora.estimate --shape 8b --rank 256 --card h100

From the model's shape alone; no weights are needed.
"""

import argparse
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files

from finetune.lora.loss import AT_ONCE
from finetune.lora.settings import StageSettings
from finetune.lora.shapes import Shape, named
from scribe.errors import ScribeError, UsageError

GIB = 1 << 30
REACHED = 0.35
"""Of the stated arithmetic, what training of this kind is assumed to reach; see `finetune.lora.one_step`."""

_NF4_BYTES = 0.5 + 1 / 64 + 4 / (64 * 256)
"""Four bits, a byte for 64 weights, and four bytes for 256 of these (double quantisation)."""


@dataclass(frozen=True, slots=True)
class Card:
    """An accelerator: its name, memory in GiB, and stated dense bf16 TFLOP/s."""

    name: str
    gib: float
    tflops: float


@dataclass(frozen=True, slots=True)
class Work:
    """What is trained on: rows, ids of a mean row, how many of them it shares with its neighbours, and its labels."""

    rows: int = 7000
    tokens: int = 2000
    shared: int = 1400
    labels: int = 250


@dataclass(frozen=True, slots=True)
class Term:
    """One addend: what it is, the formula with its numbers, and what it gives."""

    what: str
    formula: str
    value: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A stage's memory in bytes and work in FLOP, by term, and the trainable weights."""

    trainable: int
    memory: tuple[Term, ...]
    work: tuple[Term, ...]

    @property
    def gib(self) -> float:
        """All memory together, in GiB."""
        return sum(term.value for term in self.memory) / GIB

    def hours(self, card: Card) -> float:
        """How long it takes on a card."""
        return sum(term.value for term in self.work) / (card.tflops * 1e12 * REACHED) / 3600


def estimate(shape: Shape, settings: StageSettings, work: Work = Work()) -> Estimate:
    """What one stage takes with these settings."""
    return Estimate(
        shape.adapter_weights(settings.rank), tuple(_memory(shape, settings, work)), tuple(_work(shape, settings, work))
    )


def computed(settings: StageSettings, work: Work) -> tuple[int, float]:
    """Ids in a full pass, and ids computed for one row: what `together` rows share is computed once for all."""
    own = work.tokens - work.shared
    fitting = max(1, (settings.tokens - work.shared) // max(own, 1))
    together = min(settings.together, fitting, settings.rows)
    return work.shared + together * own, own + work.shared / together


def _memory(shape: Shape, settings: StageSettings, work: Work) -> list[Term]:
    each = 4 if settings.precision == "f32" else 2
    linear = _NF4_BYTES if settings.nf4 else each
    trained = shape.adapter_weights(settings.rank)
    size, _ = computed(settings, work)
    kept = each * size * shape.width * shape.layers
    inside = each * size * _inside(shape, settings.rank)
    logits = 10 * min(AT_ONCE, settings.together * work.labels) * shape.vocabulary
    alive = [
        Term("layers' inputs", f"{each} B x {size} ids x {shape.width} x {shape.layers} layers", kept),
        Term("inside one layer", f"{each} B x {size} ids x {_inside(shape, settings.rank):,}", inside),
    ]
    if not settings.recompute:
        formula = f"{each} B x {size} ids x {_inside(shape, settings.rank):,} x {shape.layers} layers"
        alive = [Term("inside all layers", formula, inside * shape.layers)]
    return [
        Term("linear weights", f"{linear:.3g} B x {shape.linear_weights:,}", linear * shape.linear_weights),
        Term("word tables and norms", f"{each} B x {shape.table_weights:,}", each * shape.table_weights),
        Term("adapter, gradient, Adam", f"(4 + 4 + 8) B x {trained:,}", 16 * trained),
        *([Term("adapter cast to bf16", f"2 B x {trained:,}", 2 * trained)] if each == 2 else []),
        *alive,
        Term("logits", f"10 B x {min(AT_ONCE, settings.together * work.labels)} labels x {shape.vocabulary:,}", logits),
    ]


def _inside(shape: Shape, rank: int) -> int:
    """Numbers that one layer keeps of an id for its backward pass: norms, projections, heads, gates, LoRA's A x."""
    heads = (2 * shape.heads + 2 * shape.key_heads) * shape.head
    return 8 * shape.width + 2 * heads + 5 * shape.hidden + 7 * rank


def _work(shape: Shape, settings: StageSettings, work: Work) -> list[Term]:
    again = 2 if settings.recompute else 0
    _, own = computed(settings, work)
    total = work.rows * settings.epochs * own
    trained = shape.adapter_weights(settings.rank)
    labels = work.rows * settings.epochs * work.labels
    base, lora = 4 + again, 6 + again
    linear, seen = shape.linear_weights, work.tokens / 2
    attention = (6 + again) * 2 * shape.heads * shape.head * shape.layers * seen
    return [
        Term("linear modules", f"{base} x {linear:,} x {total:,.0f} ids", base * linear * total),
        Term("adapter", f"{lora} x {trained:,} x {total:,.0f} ids", lora * trained * total),
        Term("attention", f"{attention:,.0f} x {total:,.0f} ids", attention * total),
        Term(
            "head",
            f"4 x {shape.vocabulary:,} x {shape.width} x {labels:,.0f} labels",
            4 * shape.vocabulary * shape.width * labels,
        ),
    ]


def cards() -> Mapping[str, Card]:
    """The cards that are known by name."""
    told = tomllib.loads(files("finetune.lora").joinpath("cards.toml").read_text(encoding="utf-8"))
    return {name: Card(name, float(row["gib"]), float(row["tflops"])) for name, row in told.items()}


def card(name: str) -> Card:
    """A card by its name, or as `GiB:TFLOPs`. Raises UsageError naming what there is."""
    known = cards()
    if name in known:
        return known[name]
    gib, _, tflops = name.partition(":")
    try:
        return Card(name, float(gib), float(tflops))
    except ValueError as error:
        raise UsageError(f"there is no card {name}; write GiB:TFLOPs or one of: {', '.join(known)}") from error


def lines(made: Estimate, on: Card) -> list[str]:
    """The estimate for reading, each number with how it came about."""
    told = [f"trainable weights: {made.trainable:,}", "memory:"]
    told += [f"  {term.value / GIB:8.2f} GiB  {term.what}: {term.formula}" for term in made.memory]
    fits = "fits" if made.gib < on.gib * 0.95 else "does not fit; try nf4 = true, a lower rank or fewer tokens"
    told += [f"  {made.gib:8.2f} GiB  in all; {on.name} has {on.gib:g}: {fits}", "work:"]
    told += [f"  {term.value / 1e15:8.2f} PFLOP  {term.what}: {term.formula}" for term in made.work]
    whole = sum(term.value for term in made.work) / 1e15
    told += [f"  {whole:8.2f} PFLOP  in all, at {REACHED:.0%} of {on.tflops:g} TFLOP/s: {made.hours(on):.2f} hours"]
    return told


def main() -> None:
    """Print what one stage takes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="8b", help="8b, 3b, 1b, embedded, or a model folder")
    parser.add_argument("--card", default="h100", help="a name, or GiB:TFLOPs")
    parser.add_argument("--rank", type=int, default=256)
    parser.add_argument("--nf4", action="store_true")
    parser.add_argument("--epochs", type=float, default=1.0)
    for name in ("rows", "tokens", "shared", "labels"):
        parser.add_argument(f"--{name}", type=int, default=getattr(Work(), name))
    given = parser.parse_args()
    settings = replace(StageSettings("single"), rank=given.rank, nf4=given.nf4, epochs=given.epochs)
    try:
        made = estimate(named(given.shape), settings, Work(given.rows, given.tokens, given.shared, given.labels))
        print("\n".join(lines(made, card(given.card))))
    except ScribeError as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
