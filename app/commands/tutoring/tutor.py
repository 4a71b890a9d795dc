"""`scribe tutor TASK`: a person writes a programming task with a tutor beside them, at the terminal or on a page."""

import argparse
import contextlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

from app.commands import state_folder
from app.commands.arguments import add_model, add_sampling, choose_model, parse_count, parse_port
from app.commands.tutoring.opening import open_named_verifier
from app.tutoring.keeping import FileShelf
from app.tutoring.lesson import Lesson, begin_or_go_on
from app.tutoring.opening import DEFAULT, TutorOpener
from app.tutoring.screen import TutoringScreen, TutorVoice
from data.tasks.brief import CODES
from data.tasks.format import CodingTask
from data.tasks.reading import find_task, list_tasks
from scribe.dialect import DIALECTS
from scribe.plumbing.errors import UsageError
from scribe.plumbing.files import lock, write_text
from scribe.tutor.methods.opening import NEED_VERIFIER, TUTORS
from scribe.tutor.methods.traver import CANDIDATES
from scribe.tutor.session import Language
from scribe.tutor.speaking import DRAWING
from scribe.verify.opening import open_tracer
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings

HONEST = (
    "The model that comes with Scribe is very small and was trained for questions on feedback reports, not for "
    "tutoring: with it the tutor repeats itself, misses what you ask and explains things wrongly. The tests, not the "
    "tutor, say whether your code is right. For help that you can rely on, name a larger model: --backend api or hf. "
    "What the tutor says is held against the solution, and lines that give it away are left out."
)
NOBODY_ELSE = "the page of a lesson does not listen on {host}: it is for the person at this machine"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The task, who tutors, and where the session is kept."""
    parser.epilog = HONEST
    parser.add_argument("task", nargs="?", metavar="TASK", help="id or folder; `scribe tasks list` lists them")
    parser.add_argument("--page", action="store_true", help="open it as a page, where another can be chosen too")
    parser.add_argument("--host", help="address that the page listens on (default: this machine only)")
    parser.add_argument("--port", type=parse_port, help="of the page; the next free one if it is taken")
    parser.add_argument("--tutor", choices=TUTORS, default=DEFAULT, metavar="NAME", help=_list_tutors())
    codes = sorted(CODES.values())
    parser.add_argument("--language", choices=codes, help="of task and tutor (default: en; page: the browser's)")
    parser.add_argument("--candidates", type=parse_count, default=CANDIDATES, metavar="N", help="turns to choose from")
    parser.add_argument("--tracer", type=Path, metavar="FILE", help="a trained tracer (default: ours)")
    parser.add_argument("--verifier", type=Path, metavar="PATH", help="a trained verifier (default: ours)")
    parser.add_argument("--verifier-base", type=Path, metavar="DIR", help="the model under it (default: ours)")
    parser.add_argument("--session", type=Path, metavar="FILE", help="where it is kept (default: by task and language)")
    parser.add_argument("--new", action="store_true", help="begin anew; what was kept of the dialogue is replaced")
    add_model(parser)
    add_sampling(parser)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """The session at the terminal, until it is left, or the page, until it is interrupted."""
    task = _find_task(arguments)
    if arguments.prompt is not None:
        raise UsageError("a tutor is always told its rules; leave --prompt out")
    if arguments.page:
        if arguments.session or arguments.new:
            raise UsageError("a page keeps its sessions by task and language; leave --session and --new out")
        return run_page(arguments, settings, make, task)
    if task is None:
        raise UsageError("name a TASK (`scribe tasks list` lists them), or choose one on a page with --page")
    if arguments.host or arguments.port:
        raise UsageError("--host and --port are for the page; add --page")
    return run_terminal(arguments, settings, make, task)


def run_terminal(
    arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend, task: CodingTask
) -> int:
    """The session at the terminal."""
    code = arguments.language or "en"
    languages: dict[str, Language] = {CODES[each]: each for each in get_args(Language)}
    language = languages[code]
    path = arguments.session or lessons_folder() / f"{task.id}.{code}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    voice, files = TutorVoice(sys.stdout, language), FileShelf(path)
    with lock(path, f"another session is using {path}"), contextlib.ExitStack() as quiet:
        quiet.enter_context(contextlib.redirect_stdout(sys.stderr))  # what libraries print is no part of the dialogue
        opener = open_opener(arguments, settings, make)
        tutor = opener.open(task, str(path), voice)
        model = dict(opener.backend.info)
        saved = begin_or_go_on(files, task, language, tutor.name, model, opener.seed, arguments.new)
        if not files.code.exists():
            write_text(files.code, task.stub)
        lesson = Lesson(task, tutor, opener.tracer, saved, files)
        TutoringScreen(lesson, files, voice, sys.stdin.readline).run()
    return 0


def run_page(
    arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend, task: CodingTask | None
) -> int:
    """The page, for whoever opens the address that is printed."""
    from app.commands.chat import choose_port
    from app.tutoring.page.desk import TutoringDesk, read_tasks
    from app.tutoring.page.gate import KEY, open_key
    from app.tutoring.page.hosts import FileHost
    from app.tutoring.page.site import PREFIX, build_alone
    from app.web import serving

    host = arguments.host or settings.chat.host
    serving.refuse_unless_loopback(host, NOBODY_ELSE)
    folders = () if task is None or arguments.task in list_tasks() else (Path(arguments.task),)
    folder = lessons_folder()
    key = open_key(folder / ".key")
    opener = open_opener(arguments, settings, make)
    page = build_alone(TutoringDesk(read_tasks(folders), FileHost(folder), opener), key, arguments.language)
    port = choose_port(arguments, settings)
    shown = f"[{host}]" if ":" in host else host
    where = f"{PREFIX}open/{task.id}" if task is not None else PREFIX
    print(f"The tutor is open at http://{shown}:{port}{where}?{KEY}={key} (stop it with Ctrl+C)", flush=True)
    serving.listen(page, host, port)
    return 0


def lessons_folder() -> Path:
    """Where lessons of this machine's user are kept."""
    return state_folder() / "tutor"


def open_opener(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> TutorOpener:
    """Model, tracer and verifier that the arguments name. Raises ModelFileError, UsageError or BackendError."""
    tracer = open_tracer(arguments.tracer)
    verifier = open_named_verifier(arguments) if arguments.tutor in NEED_VERIFIER else None
    chosen = _choose_model(arguments, settings)
    warmth = DRAWING.temperature if arguments.temperature is None else arguments.temperature
    return TutorOpener(
        make(chosen),
        DIALECTS[chosen.model.dialect](),
        arguments.tutor,
        tracer,
        verifier,
        arguments.candidates,
        replace(DRAWING, temperature=warmth),
        arguments.seed or 0,
    )


def _find_task(arguments: argparse.Namespace) -> CodingTask | None:
    name = arguments.task
    if name is None:
        return None
    if name not in list_tasks() and not Path(name).is_dir():
        raise UsageError(f"there is no task {name!r}; there are {', '.join(list_tasks())}")
    return find_task(name)


def _choose_model(arguments: argparse.Namespace, settings: AssistantSettings) -> AssistantSettings:
    """The model that is named; a tutor that draws once takes the memory of one conversation."""
    chosen = choose_model(settings, arguments)
    several = arguments.tutor.startswith("traver") and arguments.tutor != DEFAULT
    return chosen if several else chosen.with_changes("model", parallel=1)


def _list_tutors() -> str:
    named = "; ".join(f"{name}: {what}" for name, what in TUTORS.items())
    return f"who tutors (default: {DEFAULT}). {named}"
