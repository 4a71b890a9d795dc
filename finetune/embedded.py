"""Make the embedded model: hints, lessons, vocabulary, network, training, export.

    python -m finetune.embedded --minutes 180

Each step is resumable. Files of the run lie in runs/embedded/; the finished model goes to data/models/embedded/ only
when all is done. `make model` then asks it the questions of the test set, as three students each.
"""

import argparse
import os
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from transformers import LlamaConfig

from data.bundle import EMBEDDED, HINTS, PAIRS, WORDS, find
from finetune import circuit, examples, hints, lessons, sums, swaps, transplant, vocabulary
from finetune.examples import Group
from finetune.export import export_gguf
from finetune.hints import tuning
from finetune.network import Network, Shape
from finetune.pretrain import Batch, Recipe, Run, batch
from finetune.telling import shown
from scribe import neighbours
from scribe.errors import UsageError
from scribe.quoting import added
from scribe.records import Record
from scribe.transcript import to_messages
from tools.build import toolbox
from tools.embedder import MiniLM
from tools.reading.known_questions import READ, known
from tools.reading.reader import load, save
from tools.search.vault import Vault

VOCABULARY = 8000
EXTRA_WORDS = 1200
WATCHED = 8


def make_hints(folder: Path) -> None:
    """The hints that come with the model, learned from all known wordings for training, unless they are there.

    Raises UsageError if those that are there do not know every kind of question.
    """
    if (folder / HINTS).exists():
        print(f"taking the hints in {folder}; remove them if wordings have changed", flush=True)
        told = set(load(folder / HINTS).readings)
        if lacking := {one.asks for language in READ for one in known(False, language)} - told:
            raise UsageError(f"{folder / HINTS} does not know “{min(lacking)}”; remove it, and it is learned anew")
        return
    with shown() as tell:
        head = tuning.tune(hints.drawn(), lambda done, total, _: tell("hints", done, total))
    save(head, folder / HINTS)


def make_tokenizer(folder: Path, lessons: Sequence[Record], tools: Mapping[str, str]) -> Tokenizer:
    """The tokenizer, learned from the lessons once and then read from the folder."""
    path = folder / "hf" / "tokenizer.json"
    if not path.exists():
        texts = (m.content for record in lessons for m in to_messages(record.trajectory, tools[record.task.course]))
        words = vocabulary.frequent_words(EXTRA_WORDS)
        vocabulary.save(vocabulary.train(texts, VOCABULARY, words), path.parent)
    return Tokenizer.from_file(str(path))


def make_groups(lessons: Sequence[Record], tools: Mapping[str, str], tokenizer: Tokenizer) -> list[Group]:
    """The lessons as groups that share course, student, report and the language to answer in.

    tools: how each course lists its tools.
    """
    shared: dict[tuple[str, str, str, str], list[Record]] = defaultdict(list)
    for record in lessons:
        task = record.task
        shared[task.course, task.student, task.theory, task.language].append(record)

    def encode(text: str, special: bool) -> list[int]:
        return vocabulary.encode(tokenizer, text, special)

    return [examples.group([r.trajectory for r in rows], tools[key[0]], encode) for key, rows in shared.items()]


def make_network(tokenizer: Tokenizer, seed: int) -> Network:
    """The network with the copying circuit and MiniLM's sense of words."""
    shape = Shape(tokenizer.get_vocab_size())
    network = Network(shape)
    size = shape.width - circuit.RESERVED - 1
    circuit.initialise(network, vocabulary.directions(tokenizer, size, seed=seed), seed)
    return network


def save_hf(network: Network, folder: Path) -> None:
    """Write config.json and model.safetensors (bfloat16) beside the tokenizer."""
    tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
    ids = {name: tokens.token_to_id(name) for name in (vocabulary.BOS, vocabulary.EOT, vocabulary.END)}
    config = LlamaConfig(
        **network.shape.config(),
        bos_token_id=ids[vocabulary.BOS],
        eos_token_id=ids[vocabulary.EOT],
        pad_token_id=ids[vocabulary.END],
        dtype="bfloat16",
        architectures=["LlamaForCausalLM"],
    )
    config.save_pretrained(folder)
    weights = {name: value.to(torch.bfloat16).contiguous() for name, value in network.state_dict().items()}
    partial = folder / "model.partial"
    save_file(weights, partial, metadata={"format": "pt"})
    partial.replace(folder / "model.safetensors")


def publish(folder: Path, target: Path) -> None:
    """Export to GGUF and put the finished model in place of the old one."""
    export_gguf(folder / "hf", folder / "model.gguf", "q8_0")
    sums.write(folder / "hf" / "model.safetensors")
    sums.write(folder / "model.gguf", folder / HINTS, folder / WORDS, folder / PAIRS)
    target.mkdir(parents=True, exist_ok=True)
    staged = target / "hf.new"
    shutil.rmtree(staged, ignore_errors=True)
    shutil.copytree(folder / "hf", staged)
    shutil.rmtree(target / "hf", ignore_errors=True)
    staged.replace(target / "hf")
    for name in (HINTS, WORDS, PAIRS):
        shutil.copy2(folder / name, target / name)
    shutil.copy2(folder / "model.gguf", target / "model.partial")
    (target / "model.partial").replace(target / "model.gguf")
    shutil.copy2(folder / "SHA256SUMS", target / "SHA256SUMS")


def listings(courses: Sequence[str]) -> dict[str, str]:
    """How the tools are listed in each course's prompts; only the number of weeks differs."""
    vault = Vault(MiniLM())
    found = [find(name) for name in courses]
    return {course.id: toolbox(course, next(iter(course.students)), vault).listing for course in found}


def watched(groups: Sequence[Group]) -> list[Batch]:
    """A few held-out batches to look at while training."""
    return [batch(group, group.tails[:8]) for group in groups[:: max(1, len(groups) // WATCHED)]]


def main() -> None:
    """Run the whole recipe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=180.0, help="training time on the clock")
    parser.add_argument("--students", type=int, default=lessons.Amount().students, help="of each course")
    parser.add_argument("--each", type=int, default=lessons.Amount().each, help="questions of a category and report")
    parser.add_argument("--folder", type=Path, default=Path("runs/embedded"))
    parser.add_argument("--target", type=Path, default=EMBEDDED)
    parser.add_argument("--rate", type=float, default=Recipe().rate)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--start", type=Path, help="a finished model's hf folder, to build on")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    given.folder.mkdir(parents=True, exist_ok=True)
    make_hints(given.folder)
    with shown() as tell:
        taught = lessons.make(given.folder, lessons.Amount(given.students, given.each), False, tell)
        held = lessons.make(given.folder, lessons.HELD_OUT, True, tell)
    own = frozenset().union(*(added(record.trajectory) for record in taught))
    (given.folder / WORDS).write_text("".join(f"{word}\n" for word in sorted(own)), encoding="utf-8")
    neighbours.save(neighbours.glue(record.trajectory for record in taught), given.folder / PAIRS)
    tools = listings(hints.TAUGHT)
    tokenizer = make_tokenizer(given.folder, taught, tools)
    groups, held_groups = (make_groups(rows, tools, tokenizer) for rows in (taught, held))
    print(f"{len(taught)} lessons, {sum(len(g.tails) for g in groups)} tails, vocabulary {tokenizer.get_vocab_size()}")
    network = make_network(tokenizer, given.seed)
    if given.start:
        kept = transplant.take(network, tokenizer, given.start)
        print(f"begun with {given.start}, which knows {kept} of these tokens", flush=True)
    run = Run(network, Recipe(given.minutes, given.rate, seed=given.seed), given.folder)
    swapped = swaps.Swaps((tail for group in groups for tail in group.tails), tokenizer.get_vocab())
    run.train(groups, watched(held_groups), swapped)
    save_hf(run.network, given.folder / "hf")
    publish(given.folder, given.target)


if __name__ == "__main__":
    main()
