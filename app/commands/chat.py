"""`scribe chat`: the page, for people who sign in or, as a demo, for whoever sits at this machine."""

import argparse
import sys
import threading

from app.accounts.settings import read_secret
from app.campus.settings import CampusSettings
from app.commands import state_folder
from app.commands.arguments import add_course, add_model, choose_model, parse_port
from app.tutoring.opening import TutorOpener
from app.web.texts import LANGUAGES
from data import bundle
from data.course import BundleError, Course
from scribe.dialect import DIALECTS
from scribe.plumbing.errors import UsageError
from tools.assembly.assistant import assemble, assemble_each, find_course, locate_courses
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--demo", action="store_true", help="choose a simulated student in a menu")
    parser.add_argument("--host", help="address to listen on (demo: this machine only)")
    parser.add_argument("--port", type=parse_port, help="port; the next free one if it is taken")
    add_course(parser)
    add_model(parser)


def run(arguments: argparse.Namespace, settings: CampusSettings, make: MakeBackend) -> int:
    chosen = choose_model(settings, arguments)
    assert isinstance(chosen, CampusSettings)
    if arguments.demo:
        return run_demo(chosen, arguments, make)
    if not chosen.accounts.sign_in:
        raise UsageError(
            "the settings name no way to sign in ([accounts] sign_in; app/campus/GUIDE.md tells how); "
            "to try the chat with simulated students: scribe chat --demo"
        )
    return run_campus(chosen, arguments, make)


def run_demo(settings: CampusSettings, arguments: argparse.Namespace, make: MakeBackend) -> int:
    """The demo: one course, any simulated student, this machine only."""
    from app.web import serving

    host = arguments.host or settings.chat.host
    serving.refuse_unless_loopback(host)
    course = find_course(settings, arguments.course)
    if not course.students:
        raise UsageError(f"course {course.id} has no students whose report could be shown")
    assistant = assemble(settings, course, make(settings))
    port = choose_port(arguments, settings)
    from app.tutoring.page.desk import TutoringDesk, read_tasks
    from app.tutoring.page.hosts import FileHost
    from app.tutoring.page.site import PREFIX, build_for_demo
    from app.web.conversations import DemoHost
    from app.web.line import AT_ONCE, WAITING, WaitingLine
    from app.web.page import build_page

    threading.Thread(target=assistant.warm, daemon=True).start()
    host_of_all, line = DemoHost(assistant), WaitingLine(AT_ONCE, WAITING)
    pages = {language: build_page(assistant, host_of_all, language, line, PREFIX) for language in LANGUAGES}
    opener = TutorOpener(assistant.backend, DIALECTS[settings.model.dialect]())
    desk = TutoringDesk(read_tasks(), FileHost(state_folder() / "tutor"), opener, line)
    announce(host, port)
    serving.listen(serving.build_demo(pages, *build_for_demo(desk)), host, port)
    return 0


def run_campus(settings: CampusSettings, arguments: argparse.Namespace, make: MakeBackend) -> int:
    """The chat for people who sign in: all courses that can be read."""
    from app.campus import operations
    from app.campus.application import build_application, build_chats, build_side, open_campus
    from app.store.database import open_database
    from app.web.line import AT_ONCE, WAITING, WaitingLine
    from app.web.serving import configure

    operations.log_as_json()
    courses = read_courses(settings, arguments.course)
    campus = open_campus(settings, courses, open_database(settings.storage.address))
    assistants = assemble_each(settings, courses, make(settings))
    threading.Thread(target=next(iter(assistants.values())).warm, daemon=True).start()
    host, port = arguments.host or settings.chat.host, arguments.port or settings.chat.port
    line = WaitingLine(AT_ONCE, WAITING)
    metrics = operations.ChatMetrics(line)
    word = read_secret(settings.site.metrics, "[site] metrics") if settings.site.metrics else None
    pages = operations.OperationPages(campus.database, metrics, word)
    chats = build_chats(campus, assistants, line, metrics)
    opener = TutorOpener(next(iter(assistants.values())).backend, DIALECTS[settings.model.dialect]())
    side = build_side(campus, opener, line) if settings.tutoring.open else None
    application = build_application(campus, chats, pages.routes(), side)
    operations.purge_daily(campus.database, settings.storage)
    announce(host, port)
    operations.PatientServer(configure(application, host, port), line).run()
    campus.database.close()
    return 0


def read_courses(settings: CampusSettings, name: str | None) -> list[Course]:
    """The course of this name, or all in the folder. One that is broken is told of and left out, unless it is named."""
    if name:
        return [find_course(settings, name)]
    folder, courses = locate_courses(settings), []
    for id in bundle.list_courses(folder):
        try:
            courses.append(bundle.load(folder / id))
        except BundleError as error:
            print(f"Course {id} is left out: {error}", file=sys.stderr)
    if not courses:
        raise UsageError(f"there is no course to talk about in {folder}")
    return courses


def choose_port(arguments: argparse.Namespace, settings: AssistantSettings) -> int:
    """The port that was asked for, or the next that is free."""
    from app.web import serving

    wanted = arguments.port or settings.chat.port
    port = serving.find_free_port(arguments.host or settings.chat.host, wanted)
    if port != wanted:
        print(f"Port {wanted} is taken; using {port}.", file=sys.stderr)
    return port


def announce(host: str, port: int) -> None:
    """Say where the page is."""
    shown = f"[{host}]" if ":" in host else host
    print(f"Scribe is open at http://{shown}:{port} (stop it with Ctrl+C)", flush=True)
