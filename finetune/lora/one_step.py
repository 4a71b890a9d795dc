"""Peak memory and speed of one LoRA step on random weights of a given shape; nothing is loaded.

    python -m finetune.lora.one_step --shape 8b --rank 256

The rows are random ids too: what a step takes does not depend on what they say. The first step is not timed.
"""

import argparse
import json
import resource
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from peft import get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

from finetune.lora import attention, products
from finetune.lora.estimate import GIB, Work, estimate
from finetune.lora.loop import Loop
from finetune.lora.network import TRAINED, device_of, dtype_of, lora
from finetune.lora.rows import UNLABELLED, Example
from finetune.lora.settings import StageSettings
from finetune.lora.shapes import Shape, named
from scribe.errors import UsageError


def examples(shape: Shape, work: Work) -> list[Example]:
    """Rows of random ids of which the first `shared` are the same and the last `labels` are learned."""
    random = np.random.default_rng(0)
    opening = random.integers(0, shape.vocabulary, work.shared)
    made = []
    for number in range(work.rows):
        ids = np.concatenate([opening, random.integers(0, shape.vocabulary, work.tokens - work.shared)])
        labels = np.where(np.arange(len(ids)) >= len(ids) - work.labels, ids, UNLABELLED)
        made.append(Example(str(number), ids, labels, work.shared))
    return made


def network(shape: Shape, settings: StageSettings) -> Any:
    """A model of this shape with small random weights and an adapter, made where it will run."""
    config = LlamaConfig(**shape.config(), attn_implementation=attention.register())
    with torch.device("meta"):
        empty = LlamaForCausalLM(config).to(dtype_of(settings))
    device = device_of(settings)
    model = empty.to_empty(device=device)
    model.model.rotary_emb = type(model.model.rotary_emb)(config=config).to(device)  # not among the weights
    with torch.no_grad():
        for weight in model.parameters():
            weight.fill_(1.0) if weight.dim() == 1 else weight.normal_(0, 0.02)
    model.tie_weights()
    if settings.recompute:
        model.activation_checkpointing_enable({"use_reentrant": False})
    made = get_peft_model(model, lora(settings)).train()
    if products.fits(settings, device):
        products.fuse(made, TRAINED, settings)
    return made


def measure(shape: Shape, settings: StageSettings, work: Work, timed: int) -> dict[str, Any]:
    """Run one step and then `timed` more. Memory in GiB: on a GPU what was allocated, else the process's largest."""
    settings = replace(settings, rows=work.rows, epochs=timed + 1, held=0.0)
    with TemporaryDirectory() as folder:
        loop = Loop(network(shape, settings), settings, examples(shape, work), Path(folder) / "c.pt", {})
        began = time.perf_counter()
        marks: list[float] = []
        loop.train(lambda done, total: marks.append(_now(settings)))
    steps = np.diff(marks)[1:]
    tokens = work.rows * work.tokens
    return {
        "device": _name(settings),
        "trainable": sum(weight.numel() for weight in loop.weights.values()),
        "row_tokens_a_step": tokens,
        "computed_tokens_a_step": _computed(loop),
        "seconds_a_step": round(float(np.mean(steps)), 3),
        "row_tokens_per_second": round(tokens / float(np.mean(steps)), 1),
        "seconds_with_the_first_step": round(marks[-1] - began, 1),
        "peak_gib": round(peak(settings) / GIB, 2),
        "estimated_gib": round(estimate(shape, settings, work).gib, 2),
        "losses": [round(point.loss, 4) for point in loop.progress.points],
    }


def peak(settings: StageSettings) -> int:
    """Bytes: the most that was allocated on the GPU, or the most that this process had in memory."""
    if torch.device(device_of(settings)).type == "cuda":
        return torch.cuda.max_memory_allocated()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _computed(loop: Loop) -> int:
    from finetune.lora.bunches import pack

    return sum(len(pack([loop.learned[at] for at in one]).ids) for one in loop._plan[0])


def _now(settings: StageSettings) -> float:
    if torch.device(device_of(settings)).type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


def _name(settings: StageSettings) -> str:
    if torch.device(device_of(settings)).type == "cuda":
        return str(torch.cuda.get_device_name())
    return f"cpu, {torch.get_num_threads()} threads"


def main() -> None:
    """Measure, and print what came out as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="8b", help="a shape of finetune.lora.shapes, or a model folder")
    parser.add_argument("--rank", type=int, default=256)
    parser.add_argument("--together", type=int, default=8)
    parser.add_argument("--timed", type=int, default=3, help="steps after the first")
    parser.add_argument("--device", default="")
    parser.add_argument("--precision", choices=["bf16", "f32", "int8"], default="bf16")
    parser.add_argument("--no-recompute", action="store_true")
    parser.add_argument("--no-dropout", action="store_true", help="which fused products want")
    parser.add_argument("--constant-opening", action="store_true", help="no gradients through what rows share")
    defaults = {"rows": 8, "tokens": 2000, "shared": 1400, "labels": 250}
    for name, value in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    given = parser.parse_args()
    try:
        shape = named(given.shape)
    except UsageError as error:
        parser.exit(2, f"{error}\n")
    settings = StageSettings(
        "single",
        rank=given.rank,
        together=given.together,
        tokens=1 << 20,
        precision=given.precision,
        recompute=not given.no_recompute,
        dropout=0.0 if given.no_dropout else StageSettings("single").dropout,
        through_opening=not given.constant_opening,
        device=given.device,
    )
    work = Work(given.rows, given.tokens, given.shared, given.labels)
    print(json.dumps({"shape": given.shape, **measure(shape, settings, work, given.timed)}, indent=2))


if __name__ == "__main__":
    main()
