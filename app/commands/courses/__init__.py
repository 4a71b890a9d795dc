"""`scribe courses …`: list, check, build and begin course bundles."""

import argparse
from pathlib import Path

from app.commands.arguments import add_subcommand, parse_count
from app.commands.courses import building, material


def add_arguments(parser: argparse.ArgumentParser) -> None:
    under = parser.add_subparsers(required=True, metavar="COMMAND")
    add_subcommand(under, "list", "list the courses there are", material.run_list)
    check = add_subcommand(under, "check", "check every file of a bundle", material.run_check)
    check.add_argument("course", metavar="FOLDER_OR_ID", help="a bundle's folder, or the name of a course")
    new = add_subcommand(under, "new", "write a new course to fill in", material.run_new)
    new.add_argument("name", metavar="NAME", help="its id, such as dsp-2")
    new.add_argument("--folder", type=Path, metavar="DIR", help="where to (default: beside the other courses)")
    new.add_argument("--language", choices=("en", "fr"), default="en", help="of the course (default: en)")
    new.add_argument("--weeks", type=parse_count, default=10, metavar="N", help="how many (default: 10)")
    build = add_subcommand(under, "build", "build a course's data from event logs", building.run_build)
    building.add_build_arguments(build)
    simulate = add_subcommand(under, "simulate", "write the logs of a demo course's students", building.run_simulate)
    simulate.add_argument("course", metavar="ID", help="a demo course")
    simulate.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write to")
    demo = add_subcommand(under, "demo", "simulate and build the demo courses", building.run_demo)
    demo.add_argument("courses", nargs="*", metavar="ID", help="which (default: all)")
