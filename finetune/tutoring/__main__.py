"""`python -m finetune.tutoring`: plan dialogues, hold them round by round with a writer, and keep the good ones."""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from data.tasks.reading import list_tasks
from eval.tutoring.programs.tester import ProgramTester
from eval.tutoring.students.learning import Listening
from finetune.conversations.step import REQUESTS, RESPONSES
from finetune.conversations.writer_files import read_responses, write_requests
from finetune.examples.rows import write_rows
from finetune.tutoring.dataset import choose_dialogues, make_rows, write_dialogues
from finetune.tutoring.plan import plan_dialogues, read_plan, write_plan
from finetune.tutoring.playing import DialoguePlayer, OpenTurn, PlayedDialogue
from finetune.tutoring.sheets import pack_answers, write_sheets
from scribe.backends.hf import chat_tokenizer
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.plumbing.files import lock
from scribe.plumbing.progress import show_progress

PROGRAMS = "programs.jsonl"
Played = tuple[list[PlayedDialogue], list[OpenTurn]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the commands; 0, or 2 where what was given cannot be used."""
    options = _make_parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], str] = options.run
    try:
        print(run(options))
    except ScribeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def play_folder(folder: Path) -> Played:
    """The ended dialogues and the open turns of a folder, from its plan and all its responses."""
    planned = read_plan(folder)
    turns: dict[str, str] = {}
    for path in sorted(folder.glob(f"*{RESPONSES}"), key=_read_number):
        turns |= read_responses(path)
    with lock(folder / PROGRAMS, f"another command is at {folder}; wait"), show_progress() as on_progress:
        player = DialoguePlayer(ProgramTester(folder / PROGRAMS), Listening())
        return player.play_all(planned, turns, lambda done, total: on_progress("dialogues", done, total))


def count_rounds(folder: Path) -> int:
    """The number of the round whose responses are missing."""
    return 1 + max(map(_read_number, folder.glob(f"*{RESPONSES}")), default=0)


def _read_number(path: Path) -> int:
    name = path.name.removesuffix(RESPONSES)
    if not name.isdecimal():
        raise UsageError(f"{path} has no number; responses are called N{RESPONSES}")
    return int(name)


def _plan(options: argparse.Namespace) -> str:
    tasks = [name for name in list_tasks() if name not in options.without]
    planned = plan_dialogues(tasks, options.dialogues, options.seed)
    write_plan(options.out, planned)
    return f"{len(planned)} dialogues on {len({each.task for each in planned})} tasks; now: round {options.out}"


def _go_on(options: argparse.Namespace) -> str:
    folder, (ended, waiting) = options.folder, play_folder(options.folder)
    told = f"{len(ended)} of {len(ended) + len(waiting)} dialogues have ended"
    if not waiting:
        return f"{told}; now: dataset {folder}"
    number = count_rounds(folder)
    path = folder / f"{number}{REQUESTS}"
    body = {"model": options.model, "temperature": options.temperature, "max_tokens": options.max_tokens}
    write_requests(path, {each.id: each.prompt for each in waiting}, body)
    refused = sum(bool(each.complaint) for each in waiting)
    return f"{told}; {len(waiting)} turns are asked in {path}, {refused} of them anew; answer as {number}{RESPONSES}"


def _write_sheets(options: argparse.Namespace) -> str:
    _, waiting = play_folder(options.folder)
    paths = write_sheets(options.folder, count_rounds(options.folder), waiting, options.writers)
    return "\n".join(map(str, paths)) or "all dialogues have ended"


def _pack(options: argparse.Namespace) -> str:
    _, waiting = play_folder(options.folder)
    out = options.folder / f"{count_rounds(options.folder)}{RESPONSES}"
    count = pack_answers(options.answers, out, [each.id for each in waiting])
    return f"{count} of {len(waiting)} open turns are in {out}; now: round {options.folder}"


def _write_dataset(options: argparse.Namespace) -> str:
    ended, waiting = play_folder(options.folder)
    kept, dropped = choose_dialogues(ended)
    write_dialogues(options.folder / "dialogues.jsonl", kept)
    told = f"{len(kept)} dialogues kept, dropped: {dict(dropped)}, not ended: {len(waiting)}"
    if options.base is None:
        return told
    chat = chat_tokenizer(options.base)
    made = [make_rows(each, chat, options.max_length) for each in kept]
    rows = [row for each, _ in made for row in each]
    if not rows:
        raise UsageError(f"{options.folder} gives no row to train on: {told}")
    write_rows(options.folder / "rows.parquet", rows)
    return f"{told}; {len(rows)} rows, {sum(long for _, long in made)} too long"


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m finetune.tutoring", description=__doc__)
    commands = parser.add_subparsers(required=True)
    plan = commands.add_parser("plan", help="choose tasks, levels and languages")
    plan.add_argument("--out", type=Path, required=True)
    plan.add_argument("--dialogues", type=int, default=600)
    plan.add_argument("--seed", type=int, default=1)
    plan.add_argument("--without", nargs="*", default=[], metavar="TASK", help="tasks kept for measuring")
    plan.set_defaults(run=_plan)
    steps: dict[str, Callable[[argparse.Namespace], str]]
    steps = {"round": _go_on, "sheets": _write_sheets, "pack": _pack, "dataset": _write_dataset}
    made = {name: commands.add_parser(name) for name in steps}
    for name, run in steps.items():
        made[name].add_argument("folder", type=Path)
        made[name].set_defaults(run=run)
    made["round"].add_argument("--model", default="writer")
    made["round"].add_argument("--temperature", type=float, default=0.7)
    made["round"].add_argument("--max-tokens", type=int, default=400)
    made["sheets"].add_argument("--writers", type=int, default=1)
    made["pack"].add_argument("answers", type=Path, nargs="+")
    made["dataset"].add_argument("--base", type=Path, help="a model folder, whose tokenizer makes the rows")
    made["dataset"].add_argument("--max-length", type=int, default=4096)
    return parser


if __name__ == "__main__":
    sys.exit(main())
