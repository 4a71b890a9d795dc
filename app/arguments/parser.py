"""All commands and their arguments."""

import argparse

from app import cli_bench
from app.arguments import (
    agreeing,
    asking,
    courses,
    evaluating,
    judging,
    looking,
    pictures,
    reporting,
    training,
)
from app.arguments.shared import add_model, command
from app.arguments.values import port


def parser() -> argparse.ArgumentParser:
    """All commands and their arguments."""
    top = argparse.ArgumentParser(
        prog="scribe", description="Answers students' questions about their feedback report, on this machine."
    )
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    asking.add_ask(commands)
    asking.add_answer(commands)
    looking.add(commands)
    reporting.add(commands)
    courses.add(commands)
    pictures.add(commands)
    cli_bench.add(commands)
    judging.add(commands)
    evaluating.add(commands)
    agreeing.add(commands)
    training.add(commands)
    doctor = command(commands, "doctor", "what is installed, and how to get what is missing", "doctor:run")
    add_model(doctor)
    chat = command(commands, "chat", "open the chat page on this machine", "cli_chat:run")
    chat.add_argument("--demo", action="store_true", help="choose a simulated student in a menu")
    chat.add_argument("--host", help="address to listen on (demo: this machine only)")
    chat.add_argument("--port", type=port, help="port; the next free one if it is taken")
    chat.add_argument("--course", help="id or alias of the course")
    add_model(chat)
    return top
