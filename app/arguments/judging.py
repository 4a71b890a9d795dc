"""`scribe judge`."""

from pathlib import Path
from typing import Any

from app.arguments.shared import command
from app.arguments.values import count, not_negative, whole


def add(commands: Any) -> None:
    """Answers to judgements."""
    judge = command(commands, "judge", "judge answers by written criteria; run again, it goes on", "cli_judge:run")
    judge.add_argument("answers", type=Path, nargs="+", metavar="ANSWERS.jsonl", help="what `scribe answer` wrote")
    judge.add_argument("--out", type=Path, required=True, metavar="OUT.jsonl", help="one judgement a line")
    judge.add_argument("--judge", required=True, metavar="MODEL", help="name at the address; local: checks, no model")
    judge.add_argument("--base-url", metavar="URL", help="address of an OpenAI-compatible API (key: SCRIBE_API_KEY)")
    judge.add_argument("--allow-remote", action="store_true", help="reports and questions may leave this network")
    judge.add_argument("--criteria", nargs="+", default=[], metavar="ID", help="only these (default: all there are)")
    judge.add_argument("--rubrics", type=Path, metavar="DIR", help="your own criteria, one TOML file each")
    judge.add_argument(
        "--tools",
        type=Path,
        metavar="FILE",
        help='describes tools that the answers used beside the course\'s: a JSON list of {"name", "description", '
        '"parameters"}, as OpenAI\'s requests have them',
    )
    judge.add_argument("--repeats", type=count, default=1, metavar="N", help="requests for each verdict; the paper: 5")
    judge.add_argument("--limit", type=count, metavar="N", help="only the first N rows of each file")
    judge.add_argument("--cache", type=Path, metavar="FILE", help="where every judgement is kept, for all runs")
    judge.add_argument("--retry-unparsed", action="store_true", help="ask again where no verdict could be read")
    judge.add_argument("--max-errors", type=whole, default=20, metavar="N", help="stop after more failures than these")
    _pace(judge.add_argument_group("pace"))
    _asking(judge.add_argument_group("how the judge is asked"))
    _apart(judge.add_argument_group("without asking now"))


def _pace(group: Any) -> None:
    group.add_argument("--parallel", type=count, default=8, metavar="N", help="requests at a time")
    group.add_argument("--rpm", type=not_negative, default=0.0, metavar="N", help="at most N requests a minute")
    group.add_argument("--tpm", type=not_negative, default=0.0, metavar="N", help="at most N prompt tokens a minute")


def _asking(group: Any) -> None:
    group.add_argument("--temperature", type=not_negative, default=0.0, metavar="T")
    group.add_argument("--max-tokens", type=count, default=2048, metavar="N", help="room for reasoning and decision")
    group.add_argument(
        "--leave-out",
        default="",
        metavar="A,B",
        help="fields it refuses: seed, temperature, max_tokens (it then gets max_completion_tokens)",
    )
    group.add_argument("--timeout", type=not_negative, default=180.0, metavar="S", help="seconds without an answer")


def _apart(group: Any) -> None:
    group.add_argument("--dry-run", action="store_true", help="say what would be asked and what it costs, ask nothing")
    group.add_argument("--prices", nargs=2, type=not_negative, metavar=("IN", "OUT"), help="per million tokens")
    group.add_argument("--batch-out", type=Path, metavar="FILE", help="write what is open as OpenAI batch requests")
    group.add_argument("--batch-in", type=Path, nargs="+", metavar="FILE", help="take in a batch's responses")
