"""What the figures over contenders have in common on the command line."""

import argparse
from pathlib import Path

from data.pretrained.shipped import open_shipped_gguf
from eval.bench import machine
from eval.bench.apart import apart, tell
from eval.bench.contenders import Conditions
from eval.bench.recorded import questions, record
from eval.bench.shape_file import FOLDER, made
from eval.bench.shapes import SHAPES
from scribe.errors import UsageError


def add(parser: argparse.ArgumentParser) -> None:
    """The options; `conditions` reads them."""
    names = ", ".join(SHAPES)
    told = f"embedded (default), {names}: random weights of that shape, or a GGUF file"
    parser.add_argument("--model", default="embedded", metavar="NAME_OR_FILE", help=told)
    parser.add_argument("--students", type=int, default=16, metavar="N")
    parser.add_argument("--each", type=int, default=4, metavar="N", help="questions of each student (default: 4)")
    parser.add_argument("--threads", type=int, default=2, metavar="N", help="of the processor (default: 2)")
    parser.add_argument("--parallel", type=int, default=16, metavar="N", help="engine: questions at once (default: 16)")
    parser.add_argument("--keep-mb", type=int, default=2048, metavar="N", help="engine: megabytes of prefixes kept")
    parser.add_argument("--folder", type=Path, default=FOLDER, metavar="DIR", help=f"made models (default: {FOLDER})")
    parser.add_argument("--llama-server", type=Path, metavar="FILE", help="built as eval/bench/README.md says")
    slots = "llama-server: numbers of slots to try (default: 1 2 4 8 16)"
    parser.add_argument("--slots", type=int, nargs="+", default=[1, 2, 4, 8, 16], metavar="N", help=slots)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")


def conditions(given: argparse.Namespace) -> Conditions:
    """Make the model if need be, and record the questions. Raises UsageError for a file that is not there."""
    if given.llama_server is not None and not given.llama_server.is_file():
        raise UsageError(f"there is no llama-server at {given.llama_server}; eval/bench/README.md says how to build it")
    model = _model(given.model, given.folder)
    asked = questions(given.students, given.each)
    tell(f"recording {len(asked)} questions with the embedded model")
    recorded = apart(record, asked, given.threads)
    room = {"keep_mb": given.keep_mb, "server": given.llama_server}
    return Conditions(model, recorded, given.model in SHAPES, given.threads, **room)


def said(under: Conditions) -> str:
    """The machine's line, and whether the model writes its own."""
    how = "writes what was recorded" if under.replay else "writes its own"
    return f"{machine.line(under.model, under.threads)}; the model {how}"


def _model(name: str, folder: Path) -> Path:
    if name == "embedded":
        return open_shipped_gguf()
    if name in SHAPES:
        tell(f"random weights of the shape {name} in {folder}")
        return made(name, folder)
    if not Path(name).is_file():
        raise UsageError(f"there is no model {name}; use embedded, {', '.join(SHAPES)} or a GGUF file")
    return Path(name)
