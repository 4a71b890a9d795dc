"""`scribe tool`: one call of one tool, as the model would make it."""

import argparse
import json
from textwrap import shorten
from typing import Any

from app.commands import BAD_INPUT
from app.commands.arguments import add_student
from scribe.plumbing.errors import UsageError
from scribe.trajectory import Call
from tools.assembly.assistant import find_course, find_student
from tools.assembly.model import MakeBackend, make_embedder, make_web_search
from tools.assembly.settings import AssistantSettings
from tools.search.vector_store import VectorStore
from tools.toolbox import make_toolbox


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    add_student(parser)
    parser.add_argument("--args", default="{}", metavar="JSON", help="""arguments, e.g. '{"week": 6}'""")


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """What one tool says to these arguments, as the model would read it; 2 if it refuses them."""
    course = find_course(settings, arguments.course)
    student = find_student(course, arguments.student)
    box = make_toolbox(course, student.id, VectorStore(make_embedder(settings)), web=make_web_search(settings))
    seen = box.call(Call(arguments.name, _parse_object(arguments.args)))
    print(seen.content)
    return 0 if seen.ok else BAD_INPUT


def _parse_object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UsageError(f"--args {shorten(text, 80)} is no JSON object; write e.g. '{{\"week\": 6}}'")
    return found
