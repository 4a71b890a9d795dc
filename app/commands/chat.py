"""`scribe chat`: the page on this machine."""

import argparse
import sys
import threading

from app.commands.arguments import add_course, add_model, choose_model, parse_port
from scribe.errors import UsageError
from tools.assembly.assistant import assemble, find_course
from tools.assembly.model import MakeBackend
from tools.assembly.settings import AssistantSettings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--demo", action="store_true", help="choose a simulated student in a menu")
    parser.add_argument("--host", help="address to listen on (demo: this machine only)")
    parser.add_argument("--port", type=parse_port, help="port; the next free one if it is taken")
    add_course(parser)
    add_model(parser)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    if not arguments.demo:
        raise UsageError("the chat has no logins yet, so only the demo exists: scribe chat --demo")
    host = arguments.host or settings.chat.host
    wanted = arguments.port or settings.chat.port

    from app.web import serving

    serving.refuse_unless_loopback(host)
    course = find_course(settings, arguments.course)
    if not course.students:
        raise UsageError(f"course {course.id} has no students whose report could be shown")
    chosen = choose_model(settings, arguments)
    assistant = assemble(chosen, course, make(chosen))
    port = serving.find_free_port(host, wanted)
    if port != wanted:
        print(f"Port {wanted} is taken; using {port}.", file=sys.stderr)
    from app.web.page import build_page

    threading.Thread(target=assistant.warm, daemon=True).start()
    shown = f"[{host}]" if ":" in host else host
    print(f"Scribe is open at http://{shown}:{port} (stop it with Ctrl+C)", flush=True)
    serving.serve(build_page(assistant), host, port)
    return 0
