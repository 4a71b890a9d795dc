"""What Scribe is made of besides its own code, and what its own code may not do with files of others."""

import ast
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("scribe", "data", "tools", "eval", "finetune", "app")
MAY_RUN = {("tools/embedding/embedders.py", "trust_remote_code"), ("scribe/sandbox/inside.py", "exec")}
"""The two exceptions: an embedder whose code lies with it, which a campus copies and names, never asked of a hub; and a
student's program, inside the sandbox."""
UNSAFE_READERS = {"pickle", "cPickle", "dill", "joblib", "cloudpickle", "marshal", "shelve"}
SHELLS = {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"}


def read_pins(name: str) -> dict[str, str]:
    """Versions by normalised name."""
    found = re.findall(r"^([\w.-]+)==([^\s\\]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


@pytest.fixture(scope="module")
def licences() -> ModuleType:
    spec = importlib.util.spec_from_file_location("licences", ROOT / ".ci" / "licences.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_all_that_is_pinned_is_locked_by_hashes_but_torch() -> None:
    pinned, locked = read_pins("constraints.txt"), read_pins("requirements.lock")
    assert pinned.pop("torch")
    assert len(locked) > 100
    assert locked == pinned


def test_each_locked_package_has_hashes() -> None:
    entries = re.split(r"^(?=\w)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert not [entry.split()[0] for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry)]


def test_every_installed_package_has_a_licence_that_is_compatible_and_listed() -> None:
    check = [sys.executable, str(ROOT / ".ci" / "licences.py"), "--check"]
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("licence", "fits"),
    [
        ("MIT", True),
        ("Apache-2.0 OR GPL-3.0-only", True),
        ("MIT AND (MPL-2.0 OR GPL-2.0-only)", True),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("GPL-3.0-only", False),
        ("MIT AND AGPL-3.0-only", False),
        ("GPL-2.0-only WITH Classpath-exception-2.0", False),
        ("Proprietary", False),
        ("", False),
    ],
)
def test_a_licence_that_would_bind_scribe_is_not_compatible(licences: ModuleType, licence: str, fits: bool) -> None:
    assert licences.is_compatible(licence) is fits


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_of_ours_runs_what_it_reads(package: str) -> None:
    """No pickle, no code from a hub, no shell, no eval; weights are read as safetensors, GGUF or numbers."""
    found = [
        (str(path.relative_to(ROOT)), node.lineno, what)
        for path in sorted((ROOT / package).rglob("*.py"))
        if "tasks" not in path.relative_to(ROOT / package).parts[:1] or package != "data"
        for node, what in find_unsafe(ast.parse(path.read_text(encoding="utf-8")))
        if (str(path.relative_to(ROOT)), what) not in MAY_RUN
    ]
    assert not found


def test_what_would_run_is_found() -> None:
    """The reader of the test above, on each thing that it is to find."""
    for line in (
        "import pickle",
        "from joblib import load",
        "torch.load(path)",
        "torch.load(path, weights_only=False)",
        "numpy.load(path, allow_pickle=True)",
        "subprocess.run(line, shell=True)",
        "os.system(line)",
        "eval(text)",
        "AutoModel.from_pretrained(name, trust_remote_code=True)",
    ):
        assert list(find_unsafe(ast.parse(line))), line
    for line in ("torch.load(path, weights_only=True)", "subprocess.run([program])", "model.eval()", "np.load(path)"):
        assert not list(find_unsafe(ast.parse(line))), line


def find_unsafe(tree: ast.AST) -> Iterator[tuple[ast.stmt | ast.expr, str]]:
    """What in a program runs, or may run, what it reads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node, each.name) for each in node.names if each.name.split(".")[0] in UNSAFE_READERS)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] in UNSAFE_READERS:
            yield node, node.module
        elif isinstance(node, ast.Call):
            yield from ((node, what) for what in find_unsafe_call(node))


def find_unsafe_call(call: ast.Call) -> Iterator[str]:
    """Why a call may run what it reads."""
    name = ast.unparse(call.func)
    given = {each.arg: each.value for each in call.keywords}
    for word in ("shell", "allow_pickle", "trust_remote_code"):
        if word in given and not (isinstance(given[word], ast.Constant) and given[word].value is False):  # type: ignore[attr-defined]
            yield word
    only = given.get("weights_only")
    if name == "torch.load" and not (isinstance(only, ast.Constant) and only.value is True):
        yield name
    if name in SHELLS or name in ("eval", "exec"):
        yield name
