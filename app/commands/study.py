"""`scribe study`: codes, the pages for participants, what they said as CSV, and its analysis."""

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from app.campus.settings import CampusSettings
from app.commands.arguments import add_subcommand, parse_count, parse_port
from app.commands.chat import announce, choose_port
from scribe.errors import UsageError
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

if TYPE_CHECKING:
    from app.study.settings import Study

DEMO_DATABASE = "study-demo.db"
NOBODY_ELSE = "a study listens on {host} only where [site] hosts says under which names it is reached"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    under = parser.add_subparsers(required=True, metavar="COMMAND")
    codes = add_subcommand(under, "codes", "make codes for participants, one each, told this once", make_codes)
    _add_study(codes)
    codes.add_argument("--count", type=parse_count, required=True, metavar="N")
    serve = add_subcommand(under, "serve", "open the study's pages", serve_study)
    _add_study(serve)
    _add_address(serve)
    demo = add_subcommand(under, "demo", "try a study with what comes with Scribe, on this machine", serve_demo)
    _add_address(demo)
    export = add_subcommand(under, "export", "write what participants said as CSV files", export_files)
    _add_study(export)
    export.add_argument("--out", type=Path, required=True, metavar="OUT", help="a folder")
    analyse = add_subcommand(under, "analyse", "tests, effect sizes, shares and the figure", analyse_files)
    analyse.add_argument("out", type=Path, metavar="OUT", help="the folder that `scribe study export` wrote")


def _add_study(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", type=Path, metavar="STUDY.toml", help="app/study/demo.toml shows every key")


def _add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="address to listen on")
    parser.add_argument("--port", type=parse_port, help="the next free one if it is taken")


def make_codes(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Print new codes, one a line."""
    from app.store.database import open_database
    from app.study.settings import read_study
    from app.study.store import StudyStore

    study = read_study(arguments.study)
    database = open_database(_campus(settings).storage.address)
    print(*StudyStore(database, study).make_codes(arguments.count), sep="\n")
    database.close()
    return 0


def serve_study(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """The pages, until interrupted. Raises UsageError, BackendError or BundleError before anybody comes."""
    from app.study.settings import read_study

    return _serve(arguments, _campus(settings), make, demo=False, study=read_study(arguments.study))


def serve_demo(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """The demo, with three new codes."""
    from app.study.settings import DEMO, read_study

    campus = _campus(settings)
    chosen = dataclasses.replace(campus, storage=dataclasses.replace(campus.storage, address=DEMO_DATABASE))
    return _serve(arguments, chosen, make, demo=True, study=read_study(DEMO))


def export_files(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Write the files and say how many took part."""
    from app.store.database import open_database
    from app.study.export import export_study
    from app.study.settings import DEMO, read_study
    from app.study.store import StudyStore

    study = read_study(arguments.study)
    address = DEMO_DATABASE if arguments.study.resolve() == DEMO else _campus(settings).storage.address
    database = open_database(address)
    for path in export_study(study, database, arguments.out):
        print(path)
    counts = ", ".join(f"{count} {what}" for what, count in StudyStore(database, study).count().items())
    print(f"{counts}. Now: scribe study analyse {arguments.out}", file=sys.stderr)
    database.close()
    return 0


def analyse_files(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Write tables and figure beside the exported files, and print the tables."""
    from eval.study.files import read_study_data
    from eval.study.summary import write_summary

    print(write_summary(read_study_data(arguments.out), arguments.out))
    print(f"Written to {arguments.out}/analysis.md, tables/ and figure5.png", file=sys.stderr)
    return 0


def _serve(
    arguments: argparse.Namespace, settings: CampusSettings, make: MakeBackend, demo: bool, study: "Study"
) -> int:
    from app.store.database import open_database
    from app.study.answering import open_assistants, open_courses
    from app.study.application import build_study
    from app.study.store import StudyStore
    from app.web import serving

    host = arguments.host or settings.chat.host
    if demo or not settings.site.hosts:
        serving.refuse_unless_loopback(host, serving.DEMO if demo else NOBODY_ELSE)
    courses = open_courses(study, settings)
    database = open_database(settings.storage.address)
    codes = StudyStore(database, study).make_codes(3) if demo else []
    assistants = open_assistants(study, settings, make, {each.id: each for each in courses.values()}.values())
    next(iter(assistants.values())).warm()
    port = choose_port(arguments, settings)
    announce(host, port)
    for code in codes:
        print(f"  a participant: http://{host}:{port}/?code={code}", flush=True)
    serving.listen(build_study(study, settings, database, courses, assistants), host, port)
    database.close()
    return 0


def _campus(settings: AssistantSettings) -> CampusSettings:
    if not isinstance(settings, CampusSettings):
        raise UsageError("these settings name no database")
    return settings
