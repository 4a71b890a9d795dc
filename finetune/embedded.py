"""Make the embedded model: lessons, vocabulary, network, training, export. One command, each step resumable.

    python -m finetune.embedded --minutes 90

Files of the run lie in runs/embedded/; the finished model goes to data/models/embedded/ only when all is done.
"""

import argparse
import os
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import LlamaConfig

from data.bundle import EMBEDDED, HINTS, WORDS, find
from finetune import circuit, examples, hints, sums, vocabulary
from finetune.examples import Group
from finetune.export import export_gguf
from finetune.network import Network, Shape
from finetune.pretrain import Batch, Recipe, Run, batch
from finetune.trajectories.classroom import Classroom, RememberingEmbedder
from finetune.trajectories.lessons import write_lessons
from scribe import records
from scribe.quoting import added
from scribe.records import Record
from scribe.transcript import to_messages
from tools.build import toolbox
from tools.embedder import SentenceEmbedder
from tools.hints import save
from tools.search.vault import Vault

VOCABULARY = 5500
EXTRA_WORDS = 2500
WATCHED = 8


def make_lessons(folder: Path, each: int) -> tuple[list[Record], list[Record]]:
    """Lessons of training and held-out students, read from the folder or written into it."""
    paths = folder / "lessons.jsonl", folder / "held_out.jsonl"
    if all(path.exists() for path in (*paths, folder / HINTS)):
        print(f"taking the lessons in {folder}; remove them if tools, prompts or wordings have changed", flush=True)
    else:
        embedder, courses = RememberingEmbedder(SentenceEmbedder()), [find(name) for name in hints.TAUGHT]
        known = hints.samples(embedder, courses, held_out=False)
        head = hints.train_jointly(known, embedder.fingerprint)
        save(head, folder / HINTS)
        vault, plain = Vault(embedder), hints.plain(embedder, head)
        write_lessons([Classroom(course, vault, plain) for course in courses], paths[1], 4, seed=2, held_out=True)
        folded = hints.folded(known, embedder)
        write_lessons([Classroom(course, vault, folded) for course in courses], paths[0], each, seed=1)
    return list(records.read(paths[0])), list(records.read(paths[1]))


def make_tokenizer(folder: Path, lessons: Sequence[Record], tools: Mapping[str, str]) -> Tokenizer:
    """The tokenizer, learned from the lessons once and then read from the folder."""
    path = folder / "hf" / "tokenizer.json"
    if not path.exists():
        texts = (m.content for record in lessons for m in to_messages(record.trajectory, tools[record.task.course]))
        words = vocabulary.frequent_words(EXTRA_WORDS)
        vocabulary.save(vocabulary.train(texts, VOCABULARY, words), path.parent)
    return Tokenizer.from_file(str(path))


def make_groups(lessons: Sequence[Record], tools: Mapping[str, str], tokenizer: Tokenizer) -> list[Group]:
    """The lessons as groups that share course, student and report; `tools` is how each course lists its tools."""
    shared: dict[tuple[str, str, str], list[Record]] = defaultdict(list)
    for record in lessons:
        shared[record.task.course, record.task.student, record.task.theory].append(record)

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


def load_network(folder: Path) -> Network:
    """The network that `save_hf` wrote, to train it further."""
    weights = load_file(folder / "model.safetensors")
    vocabulary_size, width = weights["lm_head.weight"].shape
    network = Network(Shape(vocabulary_size, width))
    network.load_state_dict({name: value.float() for name, value in weights.items()})
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
    sums.write(folder / "model.gguf", folder / HINTS, folder / WORDS)
    target.mkdir(parents=True, exist_ok=True)
    staged = target / "hf.new"
    shutil.rmtree(staged, ignore_errors=True)
    shutil.copytree(folder / "hf", staged)
    shutil.rmtree(target / "hf", ignore_errors=True)
    staged.replace(target / "hf")
    for name in (HINTS, WORDS):
        shutil.copy2(folder / name, target / name)
    shutil.copy2(folder / "model.gguf", target / "model.partial")
    (target / "model.partial").replace(target / "model.gguf")
    shutil.copy2(folder / "SHA256SUMS", target / "SHA256SUMS")


def listings(courses: Sequence[str]) -> dict[str, str]:
    """How the tools are listed in each course's prompts; only the number of weeks differs."""
    vault = Vault(SentenceEmbedder())
    found = [find(name) for name in courses]
    return {course.id: toolbox(course, next(iter(course.students)), vault).listing for course in found}


def watched(groups: Sequence[Group]) -> list[Batch]:
    """A few held-out batches to look at while training."""
    return [batch(group, group.tails[:8]) for group in groups[:: max(1, len(groups) // WATCHED)]]


def main() -> None:
    """Run the whole recipe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=90.0, help="training time on the clock")
    parser.add_argument("--each", type=int, default=36, help="questions per student and kind of report")
    parser.add_argument("--folder", type=Path, default=Path("runs/embedded"))
    parser.add_argument("--target", type=Path, default=EMBEDDED)
    parser.add_argument("--rate", type=float, default=Recipe().rate)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--start", type=Path, help="a finished model's hf folder, to train it further")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.start and not (given.folder / "hf").exists():
        shutil.copytree(given.start, given.folder / "hf")
    lessons, held = make_lessons(given.folder, given.each)
    own = frozenset().union(*(added(record.trajectory) for record in lessons))
    (given.folder / WORDS).write_text("".join(f"{word}\n" for word in sorted(own)), encoding="utf-8")
    tools = listings(hints.TAUGHT)
    tokenizer = make_tokenizer(given.folder, lessons, tools)
    groups, held_groups = (make_groups(rows, tools, tokenizer) for rows in (lessons, held))
    print(f"{len(lessons)} lessons, {sum(len(g.tails) for g in groups)} tails, vocabulary {tokenizer.get_vocab_size()}")
    network = load_network(given.start) if given.start else make_network(tokenizer, given.seed)
    run = Run(network, Recipe(given.minutes, given.rate, seed=given.seed), given.folder)
    run.train(groups, watched(held_groups))
    save_hf(run.network, given.folder / "hf")
    publish(given.folder, given.target)


if __name__ == "__main__":
    main()
