"""`scribe train` and `scribe ablate`."""

from pathlib import Path
from typing import Any

from app.arguments.shared import command
from app.arguments.values import count, whole

KINDS = ("two-stage", "single", "stage-1")
QUESTIONS = Path(__file__).parents[2] / "eval" / "student_questions.jsonl"


def add(commands: Any) -> None:
    """From conversations to a model, and variants of it beside one another."""
    _add_train(commands)
    _add_ablate(commands)


def _add_train(commands: Any) -> None:
    train = command(commands, "train", "make a model from conversations; run again, it goes on", "cli_train:run")
    train.add_argument("config", type=Path, metavar="CONFIG.toml", help="such as finetune/configs/smollm2.toml")
    train.add_argument("--out", type=Path, required=True, metavar="DIR", help="all files of the run, model/ at its end")
    train.add_argument("--only", default="", metavar="STEP", help="this step alone")
    train.add_argument("--until", default="", metavar="STEP", help="the steps up to this one")
    train.add_argument("--dry-run", action="store_true", help="say what it takes and what is done, do nothing")
    train.add_argument("--card", metavar="NAME", help="for --dry-run: an accelerator's name, or GiB:TFLOPs")


def _add_ablate(commands: Any) -> None:
    ablate = command(commands, "ablate", "train variants, ask all the same; run again, it goes on", "cli_ablate:run")
    ablate.add_argument("config", type=Path, metavar="CONFIG.toml", help="the pipeline that is varied")
    ablate.add_argument("--out", type=Path, required=True, metavar="DIR", help="variants, answers, table and page")
    ablate.add_argument("--ranks", type=count, nargs="+", metavar="R", help="default: 32 64 128 256")
    ablate.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS, help="of training (default: all)")
    ablate.add_argument("--questions", type=Path, default=QUESTIONS, metavar="FILE", help="asked of all")
    ablate.add_argument("--limit", type=count, metavar="N", help="only the first N questions")
    ablate.add_argument("--parallel", type=count, metavar="N", help="questions at a time")
    ablate.add_argument("--threads", type=whole, metavar="N", help="of the CPU for answering; 0 for all")
    ablate.add_argument("--fresh", action="store_true", help="answer all anew")
