"""How often a model reaches for a tool that was in none of its training data: `web_search`.

    python -m eval.bench.unseen_tool                                      the embedded model, a stand-in for the web
    python -m eval.bench.unseen_tool --model model.q4_k_m.gguf --searxng http://127.0.0.1:8888
    python -m eval.bench.unseen_tool --base-url http://127.0.0.1:8000/v1 --model my-model

It asks questions that need the web (unseen_tool.jsonl, ours) and questions that do not (eval/student_questions.jsonl).
It judges neither the answers (that is `eval.judge`) nor the search.
"""

import argparse
import itertools
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from eval.answering import QuestionAnswerer
from eval.bench.processes import log_progress
from eval.loopback import LoopbackReply, serve_locally
from eval.questions import STUDENT_QUESTIONS, WrittenQuestion, read_questions
from eval.significance import Share, compare_shares, count_share
from eval.table import Cell, Table
from scribe import records
from scribe.errors import BackendError, ScribeError
from scribe.records import Record
from scribe.trajectory import Stop, Trajectory
from tools.assembly.model import make_backend
from tools.assembly.settings import AssistantSettings
from tools.conversation import WEB

NEEDING = Path(__file__).with_suffix(".jsonl")
SHARES = (f"{WEB} called", "called first", "answered")
HEAD = ("questions", "n", "failed", *(name for each in SHARES for name in (each, f"95 % of {each}")))

Asked = Sequence[tuple[WrittenQuestion, Trajectory | None]]
"""Questions and their ended trajectories; None where the model failed us, which counts for neither side."""


def ask_all(answerer: QuestionAnswerer, questions: Sequence[WrittenQuestion], name: str = "") -> Asked:
    """Every question, asked once."""
    rows: list[tuple[WrittenQuestion, Trajectory | None]] = []
    for number, question in enumerate(questions, start=1):
        try:
            rows.append((question, answerer.answer(question)))
        except BackendError:
            rows.append((question, None))
        log_progress(f"{name}: {number} of {len(questions)}")
    return rows


def count_calls(rows: Asked) -> tuple[Share, Share, Share]:
    """The shares of `SHARES`; a call counts even if its arguments were refused."""
    done = [trajectory for _, trajectory in rows]
    called = [None if one is None else [call.name for act in one.acts for call in act.calls] for one in done]
    return (
        count_share(None if names is None else WEB in names for names in called),
        count_share(None if names is None else names[:1] == [WEB] for names in called),
        count_share(None if one is None else one.stop is Stop.ANSWERED for one in done),
    )


def tabulate(sets: dict[str, Asked]) -> Table:
    """One row for each set; shares with their 95 % intervals by Wilson, and Fisher's test between two sets."""
    found = {name: count_calls(rows) for name, rows in sets.items()}
    note = "Intervals are Wilson's; questions at which the model failed us are left out and counted."
    reached = [shares[0] for shares in found.values()]
    if len(reached) == 2 and all(one.of for one in reached):
        alike = compare_shares(*reached).p
        note += f" Called on one set as often as on the other: p = {alike:.2g} (Fisher's exact test)."
    rows = [
        [name, shares[0].of, shares[0].missing, *(cell for each in shares for cell in _to_cells(each))]
        for name, shares in found.items()
    ]
    return Table("unseen_tool", "A tool that was in no training data", HEAD, rows, SHARES, note)


def _to_cells(one: Share) -> tuple[Cell, Cell]:
    interval = one.interval()
    return (one.value if one.of else None), f"{100 * interval.low:.1f} to {100 * interval.high:.1f} %"


@contextmanager
def serve_placeholder_search() -> Iterator[str]:
    """The address of a server that stands in for a SearXNG: to any query three pages that say they are stand-ins.

    Whether a model reaches for the tool is known before it reads the results, so these will do.
    """

    def respond(path: str, body: bytes) -> LoopbackReply:
        query = parse_qs(urlsplit(path).query).get("q", [""])[0]
        content = f"A page on {query[:80]} that stands in for a real one, because no web search was named."
        pages = [
            {"title": f"Page {number} on {query[:60]}", "url": f"https://example.org/{number}", "content": content}
            for number in (1, 2, 3)
        ]
        return LoopbackReply(json.dumps({"results": pages}).encode())

    with serve_locally(respond) as url:
        yield url.removesuffix("/v1")


def main() -> None:
    """Ask, keep the records, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="", help="a GGUF file (default: ours), or the name at --base-url")
    parser.add_argument("--base-url", default="", help="an OpenAI-compatible address instead of a GGUF file")
    parser.add_argument("--needing", type=Path, default=NEEDING, help="questions that need the web")
    parser.add_argument("--others", type=Path, default=STUDENT_QUESTIONS, help="questions that do not")
    parser.add_argument("--searxng", default="", help="address of a SearXNG; a stand-in on this machine if not given")
    parser.add_argument("--allow-remote", action="store_true", help="questions may leave this network for --searxng")
    parser.add_argument("--out", type=Path, help="folder for the records and the table as CSV")
    given = parser.parse_args()
    try:
        _measure(given)
    except ScribeError as error:
        parser.error(str(error))


def _measure(given: argparse.Namespace) -> None:
    questions = {"need the web": read_questions(given.needing), "do not": read_questions(given.others)}
    with nullcontext(given.searxng) if given.searxng else serve_placeholder_search() as address:
        settings = read_settings(given, address)
        backend = make_backend(settings)
        answerer = QuestionAnswerer(settings, backend, itertools.chain(*questions.values()))
        sets = {name: ask_all(answerer, asked, name) for name, asked in questions.items()}
    table = tabulate(sets)
    print(table.markdown())
    if given.out:
        rows = [row for asked in sets.values() for row in asked]
        kept = (Record.of(done, question.id, backend.info) for question, done in rows if done is not None)
        records.write(given.out / "records.jsonl", kept)
        (given.out / "unseen_tool.csv").write_text(table.csv(), encoding="utf-8")


def read_settings(given: argparse.Namespace, searxng: str) -> AssistantSettings:
    """The assistant's settings; the prompt lists all tools, since none knows this one by heart."""
    backend = {"backend": "api", "base_url": given.base_url} if given.base_url else {}
    settings = AssistantSettings().with_changes("model", path=given.model, prompt="full", **backend)
    return settings.with_changes("tools", searxng=searxng, allow_remote=given.allow_remote)


if __name__ == "__main__":
    main()
