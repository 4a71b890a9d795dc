"""Where the workers of a cluster run, and reaching it. Ray is imported here, and only when it is asked for."""

import logging
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scribe.errors import UsageError

OBJECT_BYTES = 100 * 2**20
"""Shared memory of a Ray of our own: only questions and records go through it."""
CONNECT_SECONDS = 5.0
_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Placement:
    """Where workers run. address: host:port or "auto"; empty starts a Ray on this machine that nobody else can reach.

    workers: how many, 0 for as many as fit. cpus, gpus: of each worker. parallel: rows at once in each.
    """

    address: str = ""
    workers: int = 0
    cpus: float = 1.0
    gpus: float = 0.0
    parallel: int = 1


def connect_ray(address: str) -> tuple[Any, bool]:
    """The module `ray`, connected, and whether it was us who connected it.

    Raises UsageError if Ray is not installed or there is no cluster at the address.
    """
    # Both are read when Ray is imported: nothing is reported to anybody, and a Ray of our own stays on the loopback
    # address, whatever the second one's name says; otherwise Ray would put the machine's own address in its place.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if not address:
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    try:
        import ray
    except ImportError as error:
        raise UsageError("`--engine ray` needs Ray; run: pip install 'scribe-campus[ray]'") from error
    if ray.is_initialized():
        return ray, False
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        if address:
            _knock(address)
            ray.init(address=address, **quiet)
        else:
            own = {"include_dashboard": False, "object_store_memory": OBJECT_BYTES, "_node_ip_address": _LOOPBACK}
            ray.init(address="local", **own, **quiet)
            _require_loopback(ray)
    except Exception as error:  # Ray raises a bare one too, when it does not come up in time
        where = f"no Ray cluster can be used at {address}" if address else "Ray does not start on this machine"
        raise UsageError(f"{where}: {str(error).splitlines()[0]}; see `ray status`") from error
    return ray, True


def count_workers(placement: Placement, resources: Mapping[str, float]) -> int:
    """How many workers there are to be. Raises UsageError if not even one fits the cluster."""
    asked = {"CPU": placement.cpus, "GPU": placement.gpus}
    there = {kind: resources.get(kind, 0.0) for kind in asked}
    fit = min(int(there[kind] // size) for kind, size in asked.items() if size > 0)
    if fit < 1:
        has, wanted = (", ".join(f"{size:g} {kind}" for kind, size in each.items()) for each in (there, asked))
        raise UsageError(f"no worker fits the cluster: it has {has}, and one worker is to have {wanted}")
    return placement.workers or fit


def _require_loopback(ray: Any) -> None:
    """End a Ray of our own that others could reach, since whoever reaches it can run programs here."""
    found = [str(node["NodeManagerAddress"]) for node in ray.nodes()]
    if found != [_LOOPBACK]:
        ray.shutdown()
        raise RuntimeError(f"it listens at {', '.join(found)} and not on {_LOOPBACK} alone")


def _knock(address: str) -> None:
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if address != "auto" and not (host and port.isdecimal()):
        raise ValueError('the address must be host:port, or "auto"')
    if address != "auto":
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
