"""`scribe pairs …`: people compare tutors' dialogues blind, two at a time, and their labels are counted."""

import argparse
from pathlib import Path

from app.commands.arguments import add_subcommand, parse_count, parse_port, parse_whole, split_names
from data.tasks.brief import make_brief
from data.tasks.reading import TASKS, find_task
from eval.table import write_numbers
from eval.tutoring.pairs.counting import count_pairs, tabulate_agreement, tabulate_shares, to_numbers
from eval.tutoring.pairs.drawing import draw_keys, make_pair, read_dialogues_of, write_pairs
from eval.tutoring.pairs.pair import LABELS, load_criteria, read_pairs
from scribe.plumbing.errors import UsageError
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

NOBODY_ELSE = "the page does not listen on {host}: whoever opens it may label as anybody"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Draw, label, count."""
    under = parser.add_subparsers(required=True, metavar="COMMAND")
    draw = add_subcommand(under, "draw", "draw pairs of dialogues of a run of `scribe dict`", run_draw)
    draw.add_argument("run_folder", type=Path, metavar="DIR", help="what `scribe dict --out` wrote")
    draw.add_argument("--tutor", nargs="+", required=True, metavar="NAME", help="the first is compared with each other")
    draw.add_argument("--out", type=Path, required=True, metavar="PAIRS", help="pairs.jsonl, key.jsonl; labels later")
    draw.add_argument("--tasks", type=parse_count, default=10, metavar="N", help="tasks to draw (default: 10)")
    draw.add_argument("--tasks-folder", type=Path, default=TASKS, metavar="DIR", help="where the tasks lie")
    draw.add_argument("--seed", type=parse_whole, default=0, metavar="N", help="for the draw (default: 0)")
    label = add_subcommand(under, "label", "open a page on which people say which dialogue is better", run_label)
    label.add_argument("pairs", type=Path, metavar="PAIRS", help="what `scribe pairs draw` wrote")
    label.add_argument("--person", nargs="+", required=True, metavar="NAME", help="who labels")
    label.add_argument("--criteria", nargs="+", default=[], metavar="ID", help="only these (default: all three)")
    label.add_argument("--host", default="127.0.0.1", help="address of this machine to listen on")
    label.add_argument("--port", type=parse_port, default=7871, help="the next free one if it is taken (default: 7871)")
    count = add_subcommand(under, "count", "count what people said: shares, intervals, Fleiss' kappa", run_count)
    count.add_argument("pairs", type=Path, metavar="PAIRS", help="a folder with labels")
    count.add_argument("--first", default="", metavar="TUTOR", help="whose wins are counted (default: by name)")
    count.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")


def run_draw(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Draw pairs into a folder. Raises UsageError or RecordError."""
    sessions = read_dialogues_of(arguments.run_folder)
    keys = draw_keys(sessions, arguments.tutor, arguments.tasks, arguments.seed)
    language = next(iter(sessions.values())).language
    briefs = {key.task: make_brief(find_task(key.task, arguments.tasks_folder), language) for key in keys}
    texts = {name: (brief.title, f"{brief.description.strip()}\n\n{brief.stub}") for name, brief in briefs.items()}
    write_pairs(arguments.out, keys, [make_pair(key, sessions, texts) for key in keys])
    print(f"{len(keys)} pairs of {len(texts)} tasks in {arguments.out}")
    print(f"open the page with: scribe pairs label {arguments.out} --person NAME …")
    return 0


def run_label(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Open the page until interrupted. Raises UsageError or RecordError."""
    from app.web import marking, serving  # Gradio takes seconds to load
    from app.web.pairs import PairRoom

    host, wanted = arguments.host, split_names(arguments.criteria)
    serving.refuse_unless_loopback(host, NOBODY_ELSE)
    criteria = load_criteria()
    unknown = set(wanted) - {each.id for each in criteria}
    if unknown:
        raise UsageError(
            f"no criterion {', '.join(sorted(unknown))}; there are {', '.join(each.id for each in criteria)}"
        )
    chosen = [each for each in criteria if not wanted or each.id in wanted]
    pairs, folder = read_pairs(arguments.pairs), arguments.pairs / LABELS
    room = PairRoom(pairs, chosen, folder, tuple(arguments.person))
    port = serving.find_free_port(host, arguments.port)
    print(f"{len(pairs)} pairs by {len(chosen)} criteria; labels go to {folder}/PERSON.jsonl")
    print(f"The page is open at http://{host}:{port} (stop it with Ctrl+C)", flush=True)
    serving.serve(marking.build_marking_page(room), host, port, looks="labelling")
    return 0


def run_count(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Print the tables. Raises UsageError where there are no pairs or labels, RecordError for a bad line."""
    count = count_pairs(arguments.pairs, [each.id for each in load_criteria()], arguments.first)
    people = ", ".join(f"{name}: {number}" for name, number in sorted(count.people.items())) or "nobody"
    about = f"Labels of {people}."
    if count.stale:
        about += f" Not counted: {count.stale} of pairs that are not there or have another text now."
    print(f"{about}\n\n{tabulate_shares(count).markdown()}\n\n{tabulate_agreement(count).markdown()}")
    if arguments.json:
        write_numbers(arguments.json, "Dialogues that people call better", about, to_numbers(count))
    return 0
