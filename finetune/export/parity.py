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
from finetune.export.comparing import CLEAR, Agreement, Exported, Reference, compare
from finetune.export.prompts import choose
from finetune.manifest import Tell, quiet
from scribe.errors import ModelFileError, ScribeError

LONGEST = 4096


@dataclass(frozen=True, slots=True)
class Limits:
    """What is asked of a file. agree: share of the clear positions with the same likeliest token.

    divergence: mean KL(transformers ‖ file) in nats.
    """

    agree: float
    divergence: float


EXPECTED = {
    "MOSTLY_F16": Limits(0.999, 1e-4),
    "MOSTLY_Q8_0": Limits(0.99, 5e-3),
    "MOSTLY_Q4_K_M": Limits(0.95, 0.1),
}


@dataclass(frozen=True, slots=True)
class Parity:
    """One file's agreement, and what is asked of it."""

    name: str
    kind: str
    bytes: int
    found: Agreement
    limits: Limits

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


def measure(
    folder: Path,
    files: Sequence[Path],
    prompts: Path,
    rows: int = 8,
    courses: Path = COURSES,
    adapter: Path | None = None,
    lora: Path | None = None,
    tell: Tell = quiet,
) -> list[Parity]:
    """Every file's parity with the model in `folder`; `courses` holds the bundles.

    Raises ModelFileError, RecordError or UsageError.
    """
    reference = Reference(folder, adapter)
    chosen = choose(prompts, rows, LONGEST - 1, reference.chat.encode, courses)
    found = []
    for done, path in enumerate(files):
        tell("comparing", done, len(files))
        exported = Exported(path, lora, LONGEST, torch.get_num_threads())
        kind = file_kind(path)
        agreement = compare(reference, exported, chosen.conversations)
        found.append(Parity(path.name, kind, path.stat().st_size, agreement, EXPECTED[kind]))
    tell("comparing", len(files), len(files))
    return found


def file_kind(path: Path) -> str:
    """The file's own word for how it was quantized. Raises ModelFileError for a kind that nothing is expected of."""
    field = gguf.GGUFReader(path).fields.get("general.file_type")
    kind = gguf.LlamaFileType(field.contents()).name if field else "unknown"
    if kind not in EXPECTED:
        raise ModelFileError(f"{path}: of the kind {kind}; parity is known for {', '.join(EXPECTED)}")
    return kind


def table(found: Sequence[Parity]) -> Table:
    """One row for each file."""
    compared = ("file", "MB", "rows", "same ids", "positions", "argmax", "clear", "written", "largest", "KL")
    head = (*compared, "perplexity", "perplexity of the file", "verdict")
    note = (
        f"argmax: positions with the same likeliest token; clear: of those where it leads by {CLEAR} in probability; "
        "written: of those that the model wrote, to which the perplexities refer too. largest: difference of two "
        "logits. KL: mean, in nats."
    )
    shares = ("same ids", "argmax", "clear", "written")
    rows = [_cells(one) for one in found]
    return Table("parity", "Exported files against transformers (float32)", head, rows, shares, note)


def _cells(one: Parity) -> list[str | int | float | None]:
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
    parser.add_argument("--csv", type=Path, help="where to write the table for programs too")
    asked = parser.parse_args(given)
    try:
        found = measure(asked.folder, asked.files, asked.prompts, asked.rows, asked.courses, asked.adapter, asked.lora)
    except (ScribeError, OSError) as error:
        parser.error(str(error))
    print(table(found).markdown())
    if asked.csv:
        asked.csv.write_text(table(found).csv(), encoding="utf-8")
    return int(any(one.problems for one in found))


if __name__ == "__main__":
    sys.exit(main())
