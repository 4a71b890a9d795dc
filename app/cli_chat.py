"""`scribe chat`: the page on this machine."""

import argparse
import sys
import threading

from app import build
from app.cli_ask import with_model
from app.settings import Settings
from scribe.errors import UsageError


def run(arguments: argparse.Namespace, settings: Settings, make: build.MakeBackend | None) -> int:
    """Listen until interrupted. Raises UsageError for an address or mode that is not possible."""
    if not arguments.demo:
        raise UsageError("the chat has no logins yet, so only the demo exists: scribe chat --demo")
    host = arguments.host or settings.chat.host
    wanted = arguments.port or settings.chat.port

    from app.web import serving

    serving.refuse_unless_loopback(host)
    course = build.course(settings, arguments.course)
    if not course.students:
        raise UsageError(f"course {course.id} has no students whose report could be shown")
    assistant = build.assistant(with_model(settings, arguments), course, make)
    port = serving.free_port(host, wanted)
    if port != wanted:
        print(f"Port {wanted} is taken; using {port}.", file=sys.stderr)
    from app.web.page import page

    threading.Thread(target=assistant.warm, daemon=True).start()
    shown = f"[{host}]" if ":" in host else host
    print(f"Scribe is open at http://{shown}:{port} (stop it with Ctrl+C)", flush=True)
    serving.serve(page(assistant), host, port)
    return 0
