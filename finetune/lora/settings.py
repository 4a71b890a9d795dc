"""What a stage can be told, as its section of a pipeline's TOML file."""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Ge, Gt, Le, Lt

from finetune.lora.rows import Stage

Precision = Literal["auto", "bf16", "f32", "int8"]
Share = Annotated[float, Ge(0), Lt(1)]


@dataclass(frozen=True, slots=True)
class StageSettings:
    """How one adapter is trained.

    learn: the first call alone, the first turn, the later ones, or all in a single stage. rank, alpha: LoRA adds
    alpha / rank · B · A; alpha 0 is twice the rank.
    epochs: times through the rows. rows: per step of the optimizer. together: rows at most that share one pass, and
    tokens: ids at most in it. rate: the peak, after `warmup` of the steps; it falls on a cosine to `floor` of it.
    precision: of the base's weights and of the arithmetic, "auto" for the faster of bf16 and f32 here; "int8" is f32
    with the frozen products in integers, for a processor and no dropout; adapter and optimizer are float32. nf4: the
    base is held in four bits (QLoRA). recompute: gradient checkpointing, a third more work for far less memory.
    through_opening: whether gradients flow through what the rows of a pass share; without, their work is a
    third. lowest: layers from below whose adapter stays as it is; without `recompute`, gradients then
    stop above them. figures: how many
    times as much a digit counts in the loss as any other token: few of an answer's tokens are digits, and a wrong one
    makes it false. begin: the folder of an adapter to go on from, with this rank; empty: a new one.
    held: share of the rows that is only watched, `watch` times. checkpoint: seconds between what a killed run can go
    on from. device: a torch device; empty: the GPU if there is one. threads: of the CPU, 0 for as many as PyTorch
    takes.
    """

    learn: Stage
    rank: Annotated[int, Ge(1)] = 256
    alpha: Annotated[float, Ge(0)] = 0.0
    dropout: Share = 0.05
    epochs: Annotated[float, Gt(0)] = 1.0
    rows: Annotated[int, Ge(1)] = 32
    together: Annotated[int, Ge(1)] = 8
    tokens: Annotated[int, Ge(1)] = 8192
    rate: Annotated[float, Gt(0)] = 1.0e-4
    warmup: Share = 0.03
    floor: Annotated[float, Ge(0), Le(1)] = 0.0
    weight_decay: Annotated[float, Ge(0)] = 0.0
    clip: Annotated[float, Gt(0)] = 1.0
    precision: Precision = "auto"
    nf4: bool = False
    recompute: bool = True
    through_opening: bool = True
    lowest: Annotated[int, Ge(0)] = 0
    figures: Annotated[float, Gt(0)] = 1.0
    begin: str = ""
    held: Share = 0.02
    watch: Annotated[int, Ge(1)] = 10
    seed: int = 0
    checkpoint: Annotated[float, Gt(0)] = 300.0
    device: str = ""
    threads: Annotated[int, Ge(0)] = 0
