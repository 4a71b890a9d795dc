"""Peak memory and speed of one LoRA step on random weights of a given shape; nothing is loaded.

    python -m finetune.bench.one_step --shape 8b --rank 256

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

from finetune.examples.rows import UNLABELLED, Example
from finetune.llama import LlamaShape, find_shape
from finetune.lora import attention, products
from finetune.lora.batches import pack
from finetune.lora.estimate import GIB, TrainingWork, estimate_training
from finetune.lora.loop import TrainingLoop
from finetune.lora.network import TRAINED, find_device, find_dtype, make_lora_config
from finetune.settings import StageSettings
from scribe.errors import UsageError


def measure_step(shape: LlamaShape, settings: StageSettings, work: TrainingWork, timed: int) -> dict[str, Any]:
    """Run one step and then `timed` more. Memory in GiB: on a GPU what was allocated, else the process's largest."""
    settings = replace(settings, batch_size=work.rows, epochs=timed + 1, validation_split=0.0)
    on_gpu = torch.device(find_device(settings)).type == "cuda"
    marks: list[float] = []

    def mark(done: int, total: int) -> None:
        if on_gpu:
            torch.cuda.synchronize()
        marks.append(time.perf_counter())

    with TemporaryDirectory() as folder:
        network, examples = make_network(shape, settings), make_examples(shape, work)
        loop = TrainingLoop(network, settings, examples, Path(folder) / "c.pt", {})
        loop.train(mark)
    seconds = float(np.mean(np.diff(marks)[1:]))
    peak = torch.cuda.max_memory_allocated() if on_gpu else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {
        "device": torch.cuda.get_device_name() if on_gpu else f"cpu, {torch.get_num_threads()} threads",
        "trainable": sum(weight.numel() for weight in loop.weights.values()),
        "row_tokens_a_step": work.rows * work.tokens,
        "computed_tokens_a_step": sum(len(pack([loop.learned[at] for at in one]).ids) for one in loop.plan[0]),
        "seconds_a_step": round(seconds, 3),
        "row_tokens_per_second": round(work.rows * work.tokens / seconds, 1),
        "seconds_with_the_first_step": round(marks[-1] - marks[0], 1),
        "peak_gib": round(peak / GIB, 2),
        "estimated_gib": round(estimate_training(shape, settings, work).gib, 2),
        "losses": [round(point.loss, 4) for point in loop.points],
    }


def make_examples(shape: LlamaShape, work: TrainingWork) -> list[Example]:
    """Rows of random ids of which the first `shared` are the same and the last `labels` are learned."""
    random = np.random.default_rng(0)
    prefix = random.integers(0, shape.vocabulary, work.shared)
    made = []
    for number in range(work.rows):
        ids = np.concatenate([prefix, random.integers(0, shape.vocabulary, work.tokens - work.shared)])
        labels = np.where(np.arange(len(ids)) >= len(ids) - work.labels, ids, UNLABELLED)
        made.append(Example(str(number), ids, labels, work.shared))
    return made


def make_network(shape: LlamaShape, settings: StageSettings) -> Any:
    """A model of this shape with small random weights and an adapter, made where it will run."""
    config = make_config(shape, attn_implementation=attention.register())
    with torch.device("meta"):
        empty = LlamaForCausalLM(config).to(find_dtype(settings))
    device = find_device(settings)
    model = empty.to_empty(device=device)
    model.model.rotary_emb = type(model.model.rotary_emb)(config=config).to(device)  # not among the weights
    with torch.no_grad():
        for weight in model.parameters():
            weight.fill_(1.0) if weight.dim() == 1 else weight.normal_(0, 0.02)
    model.tie_weights()
    if settings.gradient_checkpointing:
        model.activation_checkpointing_enable({"use_reentrant": False})
    made = get_peft_model(model, make_lora_config(settings)).train()
    if products.can_fuse(settings, device):
        products.fuse(made, TRAINED, settings)
    return made


def make_config(shape: LlamaShape, **others: Any) -> LlamaConfig:
    """The configuration of a model of this shape for transformers."""
    return LlamaConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.width,
        num_hidden_layers=shape.layers,
        intermediate_size=shape.inner,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head,
        tie_word_embeddings=shape.tied,
        **others,
    )


def main() -> None:
    """Measure, and print what came out as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="8b", help="a shape of finetune.llama, or a model folder")
    parser.add_argument("--rank", type=int, default=256)
    parser.add_argument("--micro-batch-size", type=int, default=8)
    parser.add_argument("--timed", type=int, default=3, help="steps after the first")
    parser.add_argument("--device", default="")
    parser.add_argument("--precision", choices=["bf16", "f32", "int8"], default="bf16")
    parser.add_argument("--no-gradient-checkpointing", action="store_true")
    parser.add_argument("--no-dropout", action="store_true", help="which fused products want")
    parser.add_argument("--constant-prefix", action="store_true", help="no gradients through what rows share")
    for name, value in {"rows": 8, "tokens": 2000, "shared": 1400, "labels": 250}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    given = parser.parse_args()
    try:
        shape = find_shape(given.shape)
    except UsageError as error:
        parser.exit(2, f"{error}\n")
    settings = StageSettings(
        "single",
        rank=given.rank,
        micro_batch_size=given.micro_batch_size,
        max_tokens_per_batch=1 << 20,
        precision=given.precision,
        gradient_checkpointing=not given.no_gradient_checkpointing,
        dropout=0.0 if given.no_dropout else StageSettings("single").dropout,
        through_prefix=not given.constant_prefix,
        device=given.device,
    )
    work = TrainingWork(given.rows, given.tokens, given.shared, given.labels)
    print(json.dumps({"shape": given.shape, **measure_step(shape, settings, work, given.timed)}, indent=2))


if __name__ == "__main__":
    main()
