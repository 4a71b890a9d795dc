"""What a pipeline's TOML file may say: a dataclass for the section of each step."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from annotated_types import Ge, Gt, Le, Lt
from pydantic import TypeAdapter, ValidationError

from data.bundle import COURSES
from eval.lines import describe_problem
from scribe.plumbing.errors import UsageError

Stage = Literal["brief", "first", "later", "single"]
"""What is learned: all but the quotes without what is quoted, the first turn, the turns behind it, or all at once.

A new one is entered here, with its ids in `examples.rows` (`LEARNED`), its section and place in `pipeline.config`
(`STAGES`, `ORDERS`) and `pipeline.steps`, and what it is likely to take in `pipeline.dry_run` (`LIKELY`).
"""
Precision = Literal["auto", "bf16", "f32", "int8"]
Quantization = Literal["f16", "q8_0", "q4_k_m"]
Dtype = Literal["bf16", "f32"]
Share = Annotated[float, Ge(0), Lt(1)]
Section = TypeVar("Section")

RENAMED = {
    "rows": "batch_size",
    "together": "micro_batch_size",
    "tokens": "max_tokens_per_batch",
    "rate": "learning_rate",
    "warmup": "warmup_ratio",
    "floor": "min_lr_ratio",
    "clip": "max_grad_norm",
    "recompute": "gradient_checkpointing",
    "nf4": "load_in_4bit",
    "through_opening": "through_prefix",
    "lowest": "frozen_layers",
    "begin": "init_adapter",
    "held": "validation_split",
    "watch": "eval_count",
    "checkpoint": "checkpoint_seconds",
    "learn": "stage",
    "longest": "max_length",
    "shortest_answer": "min_answer_length",
    "longest_answer": "max_answer_length",
    "plain": "answers",
}
"""Keys of earlier versions by what they are called now."""


@dataclass(frozen=True, slots=True)
class TrajectorySettings:
    """[trajectories]: where the conversations come from."""

    source: Literal["dataset", "files"] = "dataset"
    """A set that is there, or a writer that is asked by request files, round by round."""
    dataset: str = ""
    """The set's file; empty for the one that comes with Scribe."""
    answers: Literal["own", "plain", "close"] = "own"
    """What its conversations end with: its own answers, or for a small model shorter ones with fewer figures, or ones
    close to the lines that are quoted before them. Conversations that have none of the kind are left out."""
    questions: str = ""
    """The file of questions that the writer is asked."""
    courses: str = ""
    """The folder of bundles; empty for those that come with Scribe, as in all sections."""
    model: str = "writer"
    """What requests call the writer; the tool that runs them may need the name."""
    temperature: Annotated[float, Ge(0)] = 0.7
    max_tokens: Annotated[int, Gt(0)] = 700
    steps: Annotated[int, Gt(0)] = 8
    """The agent's limit of steps; an answer that the check refuses goes back to the writer."""
    faults: Annotated[int, Ge(0)] = 2


@dataclass(frozen=True, slots=True)
class FilterSettings:
    """[filter]: what a trajectory must be to be learned from. Lengths are in tokens of that model, 0 for none."""

    grounded: bool = True
    """Whether what answers claim must be supported."""
    faults: Annotated[int, Ge(0)] = 1
    """How many mistakes put right may be shown."""
    needless_calls: bool = False
    """Whether the same call again is let pass."""
    max_length: Annotated[int, Ge(0)] = 4096
    """Of the whole conversation as it is trained."""
    min_answer_length: Annotated[int, Ge(0)] = 5
    max_answer_length: Annotated[int, Ge(0)] = 400
    judgements: str = ""
    """A file that `scribe judge` wrote on these trajectories; empty for none."""
    judge: str = ""
    """Whose verdicts count, needed where the file has several."""
    criteria: tuple[str, ...] = ()
    """Those that must be YES; all rubrics that come with Scribe if empty."""
    courses: str = ""


@dataclass(frozen=True, slots=True)
class ExampleSettings:
    """[examples]: how trajectories become token ids."""

    max_length: Annotated[int, Ge(16)] = 4096
    """Ids a row may have; longer ones are dropped, never cut."""
    courses: str = ""
    by_heart: bool = False
    """Leave rules and tools out of the prompts, so that the model learns them by heart."""
    wordings: bool = False
    """Learn the first turns of `conversations/wordings.jsonl.gz` and `fresh.jsonl.gz` as well."""


@dataclass(frozen=True, slots=True)
class StageSettings:
    """[brief], [stage1], [stage2] or [single]: how one adapter is trained. Adapter and optimizer are in float32."""

    stage: Stage
    rank: Annotated[int, Ge(1)] = 256
    alpha: Annotated[float, Ge(0)] = 0.0
    """LoRA adds alpha / rank · B · A; 0 is twice the rank."""
    dropout: Share = 0.05
    epochs: Annotated[float, Gt(0)] = 1.0
    batch_size: Annotated[int, Ge(1)] = 32
    """Rows per step of the optimizer."""
    micro_batch_size: Annotated[int, Ge(1)] = 8
    """Rows at most in one pass."""
    max_tokens_per_batch: Annotated[int, Ge(1)] = 8192
    """Ids at most in one pass, shared ones counted once."""
    learning_rate: Annotated[float, Gt(0)] = 1.0e-4
    """The peak, after `warmup_ratio` of the steps; it falls on a cosine to `min_lr_ratio` of it."""
    warmup_ratio: Share = 0.03
    min_lr_ratio: Annotated[float, Ge(0), Le(1)] = 0.0
    weight_decay: Annotated[float, Ge(0)] = 0.0
    max_grad_norm: Annotated[float, Gt(0)] = 1.0
    precision: Precision = "auto"
    """Of the base's weights and of the arithmetic. "auto": the faster of bf16 and f32 here. "int8": f32 with the frozen
    products in integers, for a processor and no dropout."""
    load_in_4bit: bool = False
    """Hold the base in four bits (QLoRA's NF4)."""
    gradient_checkpointing: bool = True
    """A third more work for far less memory."""
    share_prefix: bool = True
    """Whether rows that begin alike are computed together, what they share once; without, rows about as long as each
    other are, all at once: more work, which a GPU does in far fewer and larger steps."""
    through_prefix: bool = True
    """Whether gradients flow through what the rows of a pass share; without, their work is a third."""
    frozen_layers: Annotated[int, Ge(0)] = 0
    """Layers from below whose adapter stays as it is; without `gradient_checkpointing` gradients stop above them."""
    init_adapter: str = ""
    """The folder of an adapter of this rank to go on from; empty: a new one."""
    validation_split: Share = 0.02
    """The share of the rows that is only looked at, `eval_count` times."""
    eval_count: Annotated[int, Ge(1)] = 10
    seed: int = 0
    checkpoint_seconds: Annotated[float, Gt(0)] = 300.0
    """Between what a killed run can go on from."""
    device: str = ""
    """A torch device; empty: the GPU if there is one."""
    threads: Annotated[int, Ge(0)] = 0
    """Of the CPU, 0 for as many as PyTorch takes."""


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """[export]: what the chat gets."""

    quantizations: tuple[Quantization, ...] = ("f16", "q8_0", "q4_k_m")
    dtype: Dtype = "bf16"
    """Of the merged folder."""
    parity_rows: int = 8
    """Trajectories on which the files are held against the model."""
    courses: str = ""


def courses_folder(name: str) -> Path:
    """The folder of bundles that a section names; that which comes with Scribe if it names none."""
    return Path(name).expanduser() if name else COURSES


def parse_section(kind: type[Section], table: Mapping[str, Any], name: str) -> Section:
    """The section `name` of a file as this frozen dataclass.

    Raises UsageError for an unknown key, naming the valid ones, for an old key, naming the new one, and for a value
    that cannot be one.
    """
    valid = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for key in table:
        if key not in valid and RENAMED.get(key) in valid:
            raise UsageError(f"[{name}] {key} is now called {RENAMED[key]}")
        if key not in valid:
            raise UsageError(f"[{name}] has no {key!r}; it may have: {', '.join(valid)}")
    try:
        return TypeAdapter(kind).validate_python(dict(table))
    except ValidationError as error:
        raise UsageError(f"[{name}] {describe_problem(error)}") from error
