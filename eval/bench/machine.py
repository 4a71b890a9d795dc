"""Where the figures were taken, in one line: numbers of two machines, or of a busy one, do not compare."""

import os
import platform
from pathlib import Path

import llama_cpp

from scribe.backends.weights import fingerprint


def line(model: Path, threads: int) -> str:
    """Processor, cores, load before the run, llama.cpp, model file."""
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "load unknown"
    named = f"{model.name} ({model.stat().st_size / 1e6:,.0f} MB, {fingerprint(model)})"
    cores = f"{os.cpu_count()} cores, {threads} threads used, {load} before"
    return f"{_processor()}; {cores}; llama-cpp-python {llama_cpp.__version__}; {named}"


def _processor(info: Path = Path("/proc/cpuinfo")) -> str:
    """The processor's name, from Linux or else what Python knows."""
    try:
        lines = info.read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    named = (text.partition(":")[2].strip() for text in lines if text.startswith("model name"))
    return next(named, platform.processor() or platform.machine())
