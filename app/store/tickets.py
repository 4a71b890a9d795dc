"""Tickets that say which process took them: one that was killed, or lost its ticket, must keep nobody waiting.

A ticket names machine, process and when that process began, which no later process under the same number has in common.
What another machine holds cannot be told from here, and counts as held.
"""

import os
import socket
import threading
import uuid
from functools import cache
from hashlib import blake2s
from pathlib import Path

PROCESSES = Path("/proc")
_held: set[str] = set()
_lock = threading.Lock()


def take_ticket() -> str:
    """A new one, held by this process until `give_back`."""
    own = os.getpid()
    ticket = f"{_name_machine()}.{own}.{_find_start(own)}.{uuid.uuid4().hex}"
    with _lock:
        _held.add(ticket)
    return ticket


def give_back(ticket: str) -> None:
    """Hold it no longer."""
    with _lock:
        _held.discard(ticket)


def is_abandoned(ticket: str) -> bool:
    """Whether the process of this machine that took it is gone, or holds it no longer."""
    machine, _, rest = ticket.partition(".")
    process, _, rest = rest.partition(".")
    start = rest.partition(".")[0]
    if machine != _name_machine() or not start:
        return False
    if int(process) == os.getpid() and start == _find_start(os.getpid()):
        with _lock:
            return ticket not in _held
    return start != _find_start(int(process))


def _find_start(process: int) -> str:
    """When a process began, in ticks since the machine did; empty if there is no such process."""
    try:
        told = (PROCESSES / str(process) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    return told.rpartition(")")[2].split()[19]  # proc(5): field 22; a program's name may hold blanks


@cache
def _name_machine() -> str:
    """Of this boot of this machine, or of this container in it: numbers of processes mean something there alone."""
    try:
        inside = (PROCESSES / "self" / "ns" / "pid").readlink(), (PROCESSES / "sys/kernel/random/boot_id").read_text()
    except OSError:
        inside = Path(), ""
    return blake2s(f"{socket.gethostname()} {inside}".encode(), digest_size=8).hexdigest()
