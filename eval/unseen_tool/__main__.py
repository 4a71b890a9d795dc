"""Ask questions that need the web and questions that do not, and count how often a model reaches for `web_search`.

    python -m eval.unseen_tool                                            the embedded model, a stand-in for the web
    python -m eval.unseen_tool --model model.q4_k_m.gguf --searxng http://127.0.0.1:8888
    python -m eval.unseen_tool --base-url http://127.0.0.1:8000/v1 --model my-model

The 30 questions that need it are ours (questions.jsonl here); those that do not are eval/student_questions.jsonl.
"""

import argparse
import contextlib
from pathlib import Path

from data.pretrained.shipped import open_shipped_gguf
from eval.asking import Asking
from eval.unseen_tool.pages import stand_in
from eval.unseen_tool.reaching import NEEDING, OTHERS, Answered, Told, ask, questions, reach, table
from scribe import records
from scribe.backend import Backend
from scribe.errors import ScribeError
from scribe.records import Record
from tools.web_search import WebSearch


def main() -> None:
    """Ask, keep the records, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="", help="a GGUF file (default: ours), or the name at --base-url")
    parser.add_argument("--base-url", default="", help="an OpenAI-compatible address instead of a GGUF file")
    parser.add_argument("--needing", type=Path, default=NEEDING, help="questions that need the web")
    parser.add_argument("--others", type=Path, default=OTHERS, help="questions that do not")
    parser.add_argument("--searxng", default="", help="address of a SearXNG; a stand-in on this machine if not given")
    parser.add_argument("--allow-remote", action="store_true", help="questions may leave this network for --searxng")
    parser.add_argument("--out", type=Path, help="folder for the records and the table as CSV")
    given = parser.parse_args()
    try:
        _measure(given)
    except ScribeError as error:
        parser.error(str(error))


def _measure(given: argparse.Namespace) -> None:
    sets = {path.stem: questions(path) for path in (given.needing, given.others)}
    names = dict(zip(sets, ("need the web", "do not"), strict=True))
    with contextlib.nullcontext(given.searxng) if given.searxng else stand_in() as address:
        asking = Asking(_backend(given), WebSearch(address, given.allow_remote))
        rows = {name: ask(asking, written, _tell(names[name])) for name, written in sets.items()}
    drawn = table([reach(names[name], done) for name, done in rows.items()])
    print(drawn.markdown())
    if given.out:
        _keep(given.out, [row for done in rows.values() for row in done], asking)
        (given.out / "unseen_tool.csv").write_text(drawn.csv(), encoding="utf-8")


def _backend(given: argparse.Namespace) -> Backend:
    if given.base_url:
        from scribe.backends.api import ApiBackend

        return ApiBackend(given.base_url, given.model)
    from scribe.backends.llama import LlamaBackend

    return LlamaBackend(Path(given.model) if given.model else open_shipped_gguf())


def _keep(folder: Path, rows: list[Answered], asking: Asking) -> None:
    info = asking.backend.info
    records.write(folder / "records.jsonl", (Record.of(done, w.id, info) for w, done in rows if done is not None))


def _tell(name: str) -> Told:
    def told(done: int, total: int) -> None:
        print(f"\r{name}: {done}/{total}", end="\n" if done == total else "", flush=True)

    return told


if __name__ == "__main__":
    main()
