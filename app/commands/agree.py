"""`scribe agree`: judges beside people, and the page on which people label."""

import argparse
from pathlib import Path

from app.commands.arguments import (
    NO_TOOLS_FILE,
    add_gone,
    add_subcommand,
    parse_count,
    parse_port,
    parse_whole,
    split_names,
)
from eval.agreement.ratings import JudgeRatings, Labels, count_other_texts
from scribe.plumbing.errors import UsageError
from scribe.records import Record
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

NOBODY_ELSE = "the labelling page does not listen on {host}: it shows students' reports, and whoever opens it may label"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--judgements", type=Path, nargs="+", metavar="FILE", help="what `scribe judge` wrote")
    parser.add_argument("--labels", type=Path, nargs="+", metavar="DIR", help="what people labelled: folders or files")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    under = parser.add_subparsers(metavar="COMMAND")
    label = add_subcommand(under, "label", "open a page on which people label answers blind", run_label)
    label.add_argument("answers", type=Path, nargs="+", metavar="ANSWERS", help="what `scribe answer` wrote")
    label.add_argument("--out", type=Path, required=True, metavar="DIR", help="the labels: one file for each person")
    label.add_argument("--person", nargs="+", required=True, metavar="NAME", help="who labels")
    label.add_argument("--criteria", nargs="+", default=[], metavar="ID", help="only these (default: all there are)")
    label.add_argument("--rubrics", type=Path, metavar="DIR", help="a folder with rubrics of your own")
    add_gone(label, "--tools", NO_TOOLS_FILE)
    label.add_argument("--sample", type=parse_count, metavar="N", help="N questions of every file (default: all)")
    label.add_argument("--seed", type=parse_whole, default=0, metavar="N", help="for the sample (default: 0)")
    label.add_argument("--host", default="127.0.0.1", help="address of this machine to listen on")
    label.add_argument("--port", type=parse_port, default=7870, help="the next free one if it is taken (default: 7870)")


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    from eval.agreement import raters, ratings, tables
    from eval.judge.judgement import read_judgements
    from eval.table import write_numbers

    if not arguments.labels:
        raise UsageError("name the labels: scribe agree --judgements FILE… --labels DIR (`agree label` makes them)")
    lines = [line for path in arguments.judgements or () for line in read_judgements(path)]
    judges = ratings.group_by_judge(lines)
    judged = {key for kept in judges.values() for key in kept}
    labels = ratings.group_by_person(ratings.read_label_files(arguments.labels))
    found = raters.compare_raters(labels, judges)
    changed = _describe_changes(labels, judges)
    if not found:
        raise UsageError(
            f"nothing that two have rated: labels of {', '.join(labels) or 'nobody'}, judgements of "
            f"{', '.join(judges) or 'nobody'}; label and judge the same answers files by the same criteria"
            f"{changed and '. '}{changed}"
        )
    counts = ", ".join(f"{person}: {len(marks)}" for person, marks in labels.items())
    apart = len({key for marks in labels.values() for key in marks} - judged)
    about = f"Labels of {counts}. Judges: {', '.join(judges) or 'none'}. Labelled and not judged: {apart}."
    about = f"{about} {changed}".rstrip()
    for judge, models in ratings.find_several_models(lines).items():
        told = ", ".join(f"{model}: {count}" for model, count in sorted(models.items()))
        about += f" Behind {judge} the address reported several models ({told}): its verdicts may not compare."
    print(f"{about}\n\n{tables.make_table(found).narrow().markdown()}")
    if arguments.json:
        numbers = [tables.to_numbers(pair) for pair in found]
        write_numbers(arguments.json, "Agreement of judges and people", about, numbers)
    return 0


def _describe_changes(labels: Labels, judges: JudgeRatings) -> str:
    """What is compared with nothing because the answers were given anew in between."""
    people, machines = [*labels.values()], [*judges.values()]
    others = [[*machines, *(each for each in people if each is not ours)] for ours in people]
    marked = sum(map(count_other_texts, people, others))
    judged = sum(count_other_texts(ours, people) for ours in machines)
    if not marked + judged:
        return ""
    return (
        f"Not compared, since others rated another text under the same name: {marked} labels, {judged} verdicts. "
        "Answers were given anew in between; judge and label the file as it is now."
    )


def run_label(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Open the labelling page until interrupted. Raises UsageError, RecordError or BundleError."""
    from app.web import labelling, marking, serving
    from eval.agreement.labelling import draw_sample
    from eval.judge import rubric
    from eval.judge.tool_descriptions import list_tools
    from tools.assembly.assistant import RecordedCourses

    host = arguments.host
    serving.refuse_unless_loopback(host, NOBODY_ELSE)
    chosen = rubric.load(arguments.rubrics or rubric.RUBRICS, split_names(arguments.criteria))
    items = draw_sample(arguments.answers, arguments.sample, arguments.seed)
    courses = RecordedCourses(settings)

    def tools(record: Record) -> str:
        """What a judge is told of the tools that the record's assistant could call."""
        return list_tools(record, courses.signatures(record))

    for item in items:
        tools(item.record)  # a course that is not there is told of now, and not in the middle of the work
    folder: Path = arguments.out
    room = labelling.LabellingRoom(items, chosen, folder, tuple(arguments.person), tools)
    port = serving.find_free_port(host, arguments.port)
    print(f"{len(items)} answers by {len(chosen)} criteria; labels go to {folder}/PERSON.jsonl")
    print(f"The page is open at http://{host}:{port} (stop it with Ctrl+C)", flush=True)
    serving.serve(marking.build_marking_page(room), host, port, looks="labelling")
    return 0
