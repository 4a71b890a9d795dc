"""`scribe study`: codes, the pages for participants, what they said as CSV, and its analysis."""

import argparse
from pathlib import Path

from app.commands.arguments import add_subcommand, parse_count, parse_port
from app.commands.study.files import analyse_files, export_files, make_codes
from app.commands.study.serving import serve_demo, serve_study


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
