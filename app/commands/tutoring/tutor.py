"""`scribe tutor TASK`: a person writes a programming task at the terminal, with a tutor beside them."""

import argparse
import contextlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

from app.commands import state_folder
from app.commands.arguments import add_model, add_sampling, choose_model, parse_count
from app.commands.tutoring.opening import open_named_verifier
from app.tutoring.lesson import Lesson, begin_or_go_on, make_guard
from app.tutoring.screen import TutoringScreen, TutorVoice
from data.tasks.brief import CODES
from data.tasks.reading import find_task, list_tasks
from scribe.dialect import DIALECTS
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import lock
from scribe.tutor.methods.opening import NEED_VERIFIER, TUTORS, open_tutor
from scribe.tutor.methods.traver import CANDIDATES
from scribe.tutor.session import Language
from scribe.tutor.speaking import DRAWING, Speaker
from scribe.verify.opening import open_tracer
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

DEFAULT = "traver-no-verifier"
HONEST = (
    "The model that comes with Scribe is very small and was trained for questions on feedback reports, not for "
    "tutoring: with it the tutor repeats itself, misses what you ask and explains things wrongly. The tests, not the "
    "tutor, say whether your code is right. For help that you can rely on, name a larger model: --backend api or hf. "
    "What the tutor says is held against the solution, and lines that give it away are left out."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The task, who tutors, and where the session is kept."""
    parser.epilog = HONEST
    parser.add_argument("task", metavar="TASK", help="id or folder; `scribe tasks list` lists them")
    parser.add_argument("--tutor", choices=TUTORS, default=DEFAULT, metavar="NAME", help=_list_tutors())
    codes = sorted(CODES.values())
    parser.add_argument("--language", choices=codes, default="en", help="of task and tutor (default: en)")
    parser.add_argument("--candidates", type=parse_count, default=CANDIDATES, metavar="N", help="turns to choose from")
    parser.add_argument("--tracer", type=Path, metavar="FILE", help="a trained tracer (default: ours)")
    parser.add_argument("--verifier", type=Path, metavar="PATH", help="a trained verifier (default: ours)")
    parser.add_argument("--verifier-base", type=Path, metavar="DIR", help="the model under it (default: ours)")
    parser.add_argument("--session", type=Path, metavar="FILE", help="where it is kept (default: by task and language)")
    parser.add_argument("--new", action="store_true", help="begin anew; what was kept of the dialogue is replaced")
    add_model(parser)
    add_sampling(parser)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """The session at the terminal, until it is left."""
    if arguments.task not in list_tasks() and not Path(arguments.task).is_dir():
        raise UsageError(f"there is no task {arguments.task!r}; there are {', '.join(list_tasks())}")
    task = find_task(arguments.task)
    languages: dict[str, Language] = {CODES[each]: each for each in get_args(Language)}
    language = languages[arguments.language]
    if arguments.prompt is not None:
        raise UsageError("a tutor is always told its rules; leave --prompt out")
    path = arguments.session or state_folder() / "tutor" / f"{task.id}.{arguments.language}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    guard, voice = make_guard(task), TutorVoice(sys.stdout, language)
    with lock(path, f"another session is using {path}"), contextlib.ExitStack() as quiet:
        quiet.enter_context(contextlib.redirect_stdout(sys.stderr))  # what libraries print is no part of the dialogue
        tracer = open_tracer(arguments.tracer)
        verifier = open_named_verifier(arguments) if arguments.tutor in NEED_VERIFIER else None
        chosen = _choose_model(arguments, settings)
        backend, dialect = make(chosen), DIALECTS[chosen.model.dialect]()
        warmth = DRAWING.temperature if arguments.temperature is None else arguments.temperature
        sampling = replace(DRAWING, temperature=warmth)
        speaker = Speaker(backend, lambda name: guard, sampling, watch=voice, owner=str(path), dialect=dialect)
        tutor = open_tutor(arguments.tutor, speaker, tracer, verifier, arguments.candidates)
        seed = arguments.seed or 0
        saved = begin_or_go_on(path, task, language, tutor, dict(backend.info), seed, arguments.new)
        TutoringScreen(Lesson(task, tutor, tracer, saved, path), voice, sys.stdin.readline).run()
    return 0


def _choose_model(arguments: argparse.Namespace, settings: AssistantSettings) -> AssistantSettings:
    """The model that is named; a tutor that draws once takes the memory of one conversation."""
    chosen = choose_model(settings, arguments)
    several = arguments.tutor.startswith("traver") and arguments.tutor != DEFAULT
    return chosen if several else chosen.with_changes("model", parallel=1)


def _list_tutors() -> str:
    named = "; ".join(f"{name}: {what}" for name, what in TUTORS.items())
    return f"who tutors (default: {DEFAULT}). {named}"
