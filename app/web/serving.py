"""Where the page listens: this machine only while it is a demo, on a port that is free."""

import ipaddress
import socket
from pathlib import Path
from typing import Any

from scribe.errors import UsageError

PORTS_TRIED = 20


DEMO = "the demo does not listen on {host}: whoever opens it may be any student"


def refuse_unless_loopback(host: str, why: str = DEMO) -> None:
    """Raise UsageError for an address that others can reach, which says why: a demo lets anyone be any student."""
    try:
        inside = host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        inside = False
    if not inside:
        raise UsageError(f"{why.format(host=host)}. Leave --host out, or use 127.0.0.1")


def free_port(host: str, first: int) -> int:
    """The first free port from `first` on. Raises UsageError if the next twenty are taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in range(first, min(first + PORTS_TRIED, 65536)):
        with socket.socket(family) as door:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                door.bind((host.strip("[]"), port))
            except OSError:
                continue
            return port
    raise UsageError(f"no free port from {first} to {first + PORTS_TRIED - 1} on {host}; give another --port")


def serve(
    page: Any, host: str, port: int, wait: bool = True, style: Path | None = None, script: Path | None = None
) -> None:
    """Listen; returns at once with wait=False, else when interrupted. style, script: the chat's unless given."""
    import gradio as gr
    from starlette.middleware import Middleware

    from app.web.headers import ClosedPage
    from app.web.page import SCRIPT, STYLE

    page.launch(
        server_name=host,
        server_port=port,
        share=False,
        quiet=True,
        ssr_mode=False,
        run_history=False,
        footer_links=[],
        show_error=False,
        enable_monitoring=False,
        max_file_size="1kb",
        prevent_thread_lock=not wait,
        app_kwargs={"middleware": [Middleware(ClosedPage)]},
        # A theme with fonts of the machine: the default ones may be asked from elsewhere.
        theme=gr.themes.Base(primary_hue="teal", neutral_hue="slate", font=["system-ui", "sans-serif"]),
        css_paths=style or STYLE,
        js=(script or SCRIPT).read_text(encoding="utf-8"),
    )
