"""Hold exported files against the model they come from, on real conversations.

    python -m finetune.export.parity HF model.f16.gguf model.q4_k_m.gguf --prompts trajectories.jsonl
    python -m finetune.export.parity HF base.f16.gguf --adapter PEFT_FOLDER --lora lora.gguf --prompts …

HF is a model folder, run by transformers in float32, with a peft adapter over it if one is given; each GGUF file is
run by llama.cpp. Exit code 0: token ids are equal everywhere, and the likeliest tokens and the probabilities agree as
far as the file's number of bits lets one expect; 1: they do not; 2: something cannot be read.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from pathlib import Path

import gguf
import torch

from data.bundle import COURSES
from eval.table import Table
from finetune.classroom import list_tools
from finetune.export.logits import CLEAR, ExportedModel, LogitAgreement, ReferenceModel, compare_logits
from scribe import records
from scribe.decoding.chat import Encode
from scribe.errors import ModelFileError, ScribeError, UsageError
from scribe.messages import Message
from scribe.plumbing.progress import OnProgress, ignore_progress
from scribe.transcript import to_messages

CONTEXT = 4096
"""Tokens of the longest conversation."""


@dataclass(frozen=True, slots=True)
class ParityLimits:
    """What is asked of a file."""

    agree: float
    """Share of the clear positions with the same likeliest token."""
    divergence: float
    """Mean KL(transformers ‖ file) in nats."""


EXPECTED = {
    "MOSTLY_F16": ParityLimits(0.999, 1e-4),
    "MOSTLY_Q8_0": ParityLimits(0.99, 5e-3),
    "MOSTLY_Q4_K_M": ParityLimits(0.95, 0.1),
}


@dataclass(frozen=True, slots=True)
class Parity:
    """One file's agreement, and what is asked of it."""

    name: str
    bytes: int
    found: LogitAgreement
    limits: ParityLimits

    @property
    def problems(self) -> list[str]:
        """What is not as it must be."""
        found, limits = self.found, self.limits
        clear = _share(found.clear_agree, found.clear) if found.clear else 1.0
        mean = _share(found.divergence, found.positions)
        wrong = {
            f"token ids differ in {found.rows - found.same_ids} of {found.rows}": found.same_ids < found.rows,
            "nothing could be compared": not found.positions,
            f"the likeliest token agrees in {clear:.2%} of clear cases, less than {limits.agree:.1%}": (
                clear < limits.agree
            ),
            f"mean KL {mean:.1e}, more than {limits.divergence:.0e}": not mean <= limits.divergence,
        }
        return [problem for problem, holds in wrong.items() if holds]


def measure_parity(
    folder: Path,
    files: Sequence[Path],
    trajectories: Path,
    rows: int = 8,
    courses: Path = COURSES,
    adapter: Path | None = None,
    lora: Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> list[Parity]:
    """Every file's parity with the model in `folder`; `courses` holds the bundles that the trajectories are about.

    Raises ModelFileError, RecordError or UsageError.
    """
    reference = ReferenceModel(folder, adapter)
    conversations = choose_conversations(trajectories, rows, reference.chat.encode, courses)
    found = []
    for done, path in enumerate(files):
        on_progress("comparing", done, len(files))
        exported = ExportedModel(path, lora, CONTEXT, torch.get_num_threads())
        agreement = compare_logits(reference, exported, conversations)
        found.append(Parity(path.name, path.stat().st_size, agreement, _find_limits(path)))
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


def _find_limits(path: Path) -> ParityLimits:
    """By the file's own word for how it was quantized. Raises ModelFileError for a kind that nothing is asked of."""
    field = gguf.GGUFReader(path).fields.get("general.file_type")
    kind = gguf.LlamaFileType(field.contents()).name if field else "unknown"
    if kind not in EXPECTED:
        raise ModelFileError(f"{path}: of the kind {kind}; parity is known for {', '.join(EXPECTED)}")
    return EXPECTED[kind]


def tabulate(found: Sequence[Parity]) -> Table:
    """One row for each file."""
    compared = ("file", "MB", "rows", "same ids", "positions", "argmax", "clear", "written", "largest", "KL")
    head = (*compared, "perplexity", "perplexity of the file", "verdict")
    note = (
        f"argmax: positions with the same likeliest token; clear: of those where it leads by {CLEAR} in probability; "
        "written: of those that the model wrote, to which the perplexities refer too. largest: difference of two "
        "logits. KL: mean, in nats."
    )
    shares = ("same ids", "argmax", "clear", "written")
    rows = [_list_cells(one) for one in found]
    return Table("parity", "Exported files against transformers (float32)", head, rows, shares, note)


def _list_cells(one: Parity) -> list[str | int | float | None]:
    found = one.found
    return [
        one.name,
        one.bytes / 1e6,
        found.rows,
        _share(found.same_ids, found.rows),
        found.positions,
        _share(found.agree, found.positions),
        _share(found.clear_agree, found.clear) if found.clear else None,
        _share(found.written_agree, found.written),
        found.largest,
        max(0.0, _share(found.divergence, found.positions)),
        exp(_share(found.reference_loss, found.written)),
        exp(_share(found.exported_loss, found.written)),
        "; ".join(one.problems) or "agrees",
    ]


def _share(part: float, whole: int) -> float:
    return part / whole if whole else 0.0


def main(given: Sequence[str] | None = None) -> int:
    """Compare and print the table; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="HF")
    parser.add_argument("files", type=Path, nargs="+", metavar="GGUF")
    parser.add_argument("--prompts", type=Path, required=True, metavar="TRAJECTORIES.jsonl")
    parser.add_argument("--rows", type=int, default=8, help="trajectories to compare on, spread over the file")
    parser.add_argument("--courses", type=Path, default=COURSES, help="folder of the bundles they are about")
    parser.add_argument("--adapter", type=Path, help="a peft adapter over HF")
    parser.add_argument("--lora", type=Path, help="a LoRA adapter as GGUF over each file")
    asked = parser.parse_args(given)
    try:
        found = measure_parity(
            asked.folder, asked.files, asked.prompts, asked.rows, asked.courses, asked.adapter, asked.lora
        )
    except (ScribeError, OSError) as error:
        parser.error(str(error))
    print(tabulate(found).markdown())
    return int(any(one.problems for one in found))


if __name__ == "__main__":
    sys.exit(main())
