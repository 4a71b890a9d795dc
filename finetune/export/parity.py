"""Exported files held against the model they come from, on real conversations, position by position.

The model is run by transformers in float32, each GGUF file by llama.cpp, over the same token ids. These must be equal
everywhere, and the likeliest tokens and the probabilities agree as far as the file's number of bits lets one expect.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import polars as pl
import torch
from numpy.typing import NDArray
from torch import Tensor
from transformers import AutoModelForCausalLM, DynamicCache

from data.bundle import COURSES
from eval.table import Cell, Table
from finetune.classroom import list_tools
from scribe import records
from scribe.backends.hf import chat_tokenizer
from scribe.decoding.chat import ChatTokenizer, Encode
from scribe.gguf.context import BatchPart, LlamaContext
from scribe.gguf.file import BATCH, GgufFile
from scribe.messages import Message
from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.plumbing.progress import OnProgress, ignore_progress
from scribe.transcript import to_messages

CONTEXT = 4096
"""Tokens of the longest conversation."""
CLEAR = 0.1
"""By how much one token must be more probable than any other for rounding not to be an excuse."""


EXPECTED = {"MOSTLY_F16": (0.999, 1e-4), "MOSTLY_Q8_0": (0.99, 5e-3), "MOSTLY_Q4_K_M": (0.95, 0.1)}
"""What is asked of a file by its kind: the least share of the clear positions with the same likeliest token, and the
largest mean KL(transformers ‖ file) in nats."""


class ReferenceModel:
    """The model as transformers runs it, in float32."""

    def __init__(self, folder: Path) -> None:
        self.chat = chat_tokenizer(folder)
        network = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, dtype=torch.float32)
        self._network: Any = network.eval()

    def compute_logits(self, ids: Sequence[int]) -> Iterator[Tensor]:
        """Behind each id, in pieces (at most BATCH, vocabulary)."""
        cache = DynamicCache(config=self._network.config)
        with torch.inference_mode():
            for given in torch.split(torch.tensor([ids]), BATCH, 1):
                yield self._network(given, past_key_values=cache, use_cache=True).logits[0]


class ExportedModel:
    """The model as llama.cpp runs it."""

    def __init__(self, path: Path, context: int, threads: int) -> None:
        file = GgufFile(path)
        self.chat = file.chat()
        self._context = LlamaContext(file, context, 1, threads, outputs=BATCH)

    def compute_logits(self, ids: Sequence[int]) -> Iterator[NDArray[np.float32]]:
        """Behind each id, in pieces (at most BATCH, vocabulary)."""
        self._context.trim(0, 0)
        for start in range(0, len(ids), BATCH):
            some = np.array(ids[start : start + BATCH], dtype=np.int32)
            yield self._context.decode([BatchPart(0, start, some, len(some))])[0].copy()


@dataclass(frozen=True, slots=True)
class Parity:
    """One file's agreement, and what is asked of it."""

    name: str
    bytes: int
    rows: int
    """Conversations."""
    same_ids: int
    """Conversations that both tokenize alike; only these are compared."""
    positions: pl.DataFrame
    """See `compare_positions`."""
    limits: tuple[float, float]
    """See `EXPECTED`."""

    def mean(self, column: str, where: str | None = None) -> float | None:
        """The mean of a column, over the positions where another one is true; None if there are none."""
        if self.positions.is_empty():
            return None
        mean = (self.positions.filter(pl.col(where)) if where else self.positions)[column].mean()
        return None if mean is None else float(mean)  # type: ignore[arg-type]

    @property
    def largest(self) -> float:
        """The largest difference of two logits."""
        return float(self.positions["difference"].max()) if len(self.positions) else 0.0  # type: ignore[arg-type]

    @property
    def problems(self) -> list[str]:
        """What is not as it must be."""
        if self.positions.is_empty() or self.same_ids < self.rows:
            return [f"token ids differ in {self.rows - self.same_ids} of {self.rows}"]
        least, most = self.limits
        clear, divergence = self.mean("agree", "clear"), self.mean("divergence") or 0.0
        found = []
        if clear is not None and clear < least:
            found.append(f"the likeliest token agrees in {clear:.2%} of clear cases, less than {least:.1%}")
        if not divergence <= most:
            found.append(f"mean KL {divergence:.1e}, more than {most:.0e}")
        return found


def measure_parity(
    folder: Path,
    files: Sequence[Path],
    trajectories: Path,
    rows: int = 8,
    courses: Path = COURSES,
    on_progress: OnProgress = ignore_progress,
) -> list[Parity]:
    """Every file's parity with the model in `folder`; `courses` holds the bundles that the trajectories are about.

    Raises ModelFileError, RecordError or UsageError.
    """
    reference = ReferenceModel(folder)
    conversations = choose_conversations(trajectories, rows, reference.chat.encode, courses)
    found = []
    for done, path in enumerate(files):
        on_progress("comparing", done, len(files))
        found.append(_compare(reference, path, conversations))
    on_progress("comparing", len(files), len(files))
    return found


def choose_conversations(path: Path, count: int, encode: Encode, courses: Path) -> list[list[Message]]:
    """`count` trajectories spread evenly over a file as the chat would send them, without those that are too long.

    Raises RecordError naming file and line, UsageError if none is left.
    """
    found = list(records.read(path))
    wanted = found[:: max(1, len(found) // max(1, count))][:count]
    told = [list(to_messages(each.trajectory, list_tools(each.task.course, courses))) for each in wanted]
    fitting = [each for each in told if sum(len(encode(one.content, False)) + 8 for one in each) < CONTEXT]
    if not fitting:
        raise UsageError(f"{path}: {len(found)} trajectories, none of which has up to {CONTEXT - 1} tokens")
    return fitting


def _compare(reference: ReferenceModel, path: Path, conversations: Sequence[Sequence[Message]]) -> Parity:
    """Run all in both. Where the ids differ there is nothing to compare position by position."""
    exported = ExportedModel(path, CONTEXT, torch.get_num_threads())
    parts = []
    same = 0
    for messages in conversations:
        tokens = _label(messages, reference.chat)
        ids = [token for token, _ in tokens]
        if ids != [token for token, _ in _label(messages, exported.chat)]:
            continue
        same += 1
        following = torch.tensor([*(token if written else -1 for token, written in tokens[1:]), -1])
        for one, other, there in zip(
            reference.compute_logits(ids), exported.compute_logits(ids), torch.split(following, BATCH), strict=True
        ):
            parts.append(compare_positions(one, torch.from_numpy(other), there))
    positions = pl.concat(parts) if parts else pl.DataFrame()
    return Parity(path.name, path.stat().st_size, len(conversations), same, positions, _find_limits(path))


def compare_positions(reference: Tensor, exported: Tensor, following: Tensor) -> pl.DataFrame:
    """A row for each of n positions, from logits (n, vocabulary) and the id there, -1 where the model wrote none.

    agree: the same token is likeliest; clear: it leads by CLEAR; written: the model wrote what follows, with these
    losses (−log p); difference: the largest of two logits; divergence: KL(reference ‖ exported) in nats.
    """
    p, q = reference.log_softmax(1), exported.log_softmax(1)
    best, token = p.exp().topk(2, 1).values, following.clamp_min(0)[:, None]
    return pl.DataFrame(
        {
            "agree": (reference.argmax(1) == exported.argmax(1)).numpy(),
            "clear": (best[:, 0] - best[:, 1] >= CLEAR).numpy(),
            "written": (following >= 0).numpy(),
            "difference": (reference - exported).abs().amax(1).numpy(),
            "divergence": (p.exp() * (p - q)).sum(1).numpy(),
            "reference_loss": -p.gather(1, token)[:, 0].numpy(),
            "exported_loss": -q.gather(1, token)[:, 0].numpy(),
        }
    )


def _label(messages: Sequence[Message], chat: ChatTokenizer) -> list[tuple[int, bool]]:
    """The ids of a conversation in the model's own chat format, and whether the model wrote each."""
    return [(token, written) for ids, written in chat.labelled(messages) for token in ids]


def _find_limits(path: Path) -> tuple[float, float]:
    """By the file's own word for how it was quantized. Raises ModelFileError for a kind that nothing is asked of."""
    field = gguf.GGUFReader(path).fields.get("general.file_type")
    kind = gguf.LlamaFileType(field.contents()).name if field else "unknown"
    if kind not in EXPECTED:
        raise ModelFileError(f"{path}: of the kind {kind}; parity is known for {', '.join(EXPECTED)}")
    return EXPECTED[kind]


def tabulate(found: Sequence[Parity]) -> Table:
    """One row for each file."""
    note = (
        f"argmax: positions with the same likeliest token; clear: of those where it leads by {CLEAR} in probability; "
        "written: of those that the model wrote, to which the perplexities refer too. largest: difference of two "
        "logits. KL: mean, in nats."
    )
    rows = [_list_cells(one) for one in found]
    head, shares = tuple(rows[0]) if rows else (), ("same ids", "argmax", "clear", "written")
    cells = [tuple(row.values()) for row in rows]
    return Table("parity", "Exported files against transformers (float32)", head, cells, shares, note)


def _list_cells(one: Parity) -> dict[str, Cell]:
    losses = [one.mean(name, "written") for name in ("reference_loss", "exported_loss")]
    perplexities = [None if loss is None else exp(loss) for loss in losses]
    return {
        "file": one.name,
        "MB": one.bytes / 1e6,
        "rows": one.rows,
        "same ids": one.same_ids / one.rows,
        "positions": len(one.positions),
        "argmax": one.mean("agree"),
        "clear": one.mean("agree", "clear"),
        "written": one.mean("agree", "written"),
        "largest": one.largest,
        "KL": max(0.0, one.mean("divergence") or 0.0),
        "perplexity": perplexities[0],
        "perplexity of the file": perplexities[1],
        "verdict": "; ".join(one.problems) or "agrees",
    }
