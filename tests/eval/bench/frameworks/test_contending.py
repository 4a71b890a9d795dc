"""The server replays a script over a model, which reads and writes all of it."""

import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from eval.asking import Written
from eval.bench.frameworks.contended import Contended
from eval.bench.frameworks.contending import CONTENDERS, as_recorded, contend
from eval.bench.frameworks.loopback import Answer, Loopback, Make, run
from eval.bench.frameworks.replaying import Replaying
from eval.bench.frameworks.script import to_json
from eval.bench.frameworks.server import serve
from eval.bench.frameworks.stage import Stage
from eval.bench.listening import Turn
from eval.bench.recorded import Answered, Recorded
from scribe import trajectory
from scribe.errors import BackendError, ContextFull, UsageError
from tests.eval.bench.frameworks import played
from tests.tools.small_course import ScriptedEmbedder
from tools.search.vector_store import VectorStore

FRAMEWORKS = os.environ.get("SCRIBE_FRAMEWORKS_PYTHON")


@pytest.fixture(scope="module")
def model(random_model: Path) -> Replaying:
    return Replaying(random_model, 4096, 1)


@pytest.fixture(scope="module")
def server(model: Replaying, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    vault = VectorStore(ScriptedEmbedder(), tmp_path_factory.mktemp("vault"))
    found = serve(Stage(played.script(), model, vault))
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield Loopback(f"http://127.0.0.1:{found.server_port}")
    found.shutdown()
    found.server_close()


def test_every_token_is_read_once_and_written_one_by_one(model: Replaying) -> None:
    prompt, given = model.encode("What was week 2 about? Tell me."), model.encode("It was about signals.")
    model.reset()
    assert model.write(prompt, given, len(given)) == len(prompt)
    assert model.n_tokens == len(prompt) + len(given) - 1  # the last one is drawn only
    assert list(model.input_ids[len(prompt) : model.n_tokens]) == given[:-1]
    more = model.encode(" And then?")
    assert model.write([*prompt, *given, *more], [], 3) == 1 + len(more)


def test_a_prompt_that_does_not_fit_is_refused(model: Replaying) -> None:
    with pytest.raises(ContextFull):
        model.write([1] * 4090, [], 7)


def test_a_plain_client_gets_the_recorded_answers_and_our_tools(
    server: Loopback, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran(played.plain, server, tmp_path, capsys)
    assert done.answers == ("Week 2 was about signals.", "Yes, very.")
    assert (done.requests, done.written) == (3, 9 + 6 + 4)
    assert set(done.versions) == {"pydantic"}
    # The second request of the first question finds the first one in the cache, the other student's the tools only.
    assert done.evaluated < 0.7 * done.read
    assert 0 < done.model_seconds < done.seconds - done.outside
    assert done.tool_seconds > 0 < done.outside
    assert as_recorded(done, played.script()) is done


def test_a_contender_that_does_something_else_than_was_recorded_is_none(
    server: Loopback, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def lazy(server: Loopback, tools: Sequence[Mapping[str, Any]]) -> Answer:
        return lambda part: str(part["replies"][-1]["answer"])

    def forgetful(server: Loopback, tools: Sequence[Mapping[str, Any]]) -> Answer:
        answer = played.plain(server, tools)
        return lambda part: answer(part)[:0]

    with pytest.raises(BackendError, match="had"):
        as_recorded(ran(lazy, server, tmp_path, capsys), played.script())
    with pytest.raises(BackendError, match="2 answers"):
        as_recorded(ran(forgetful, server, tmp_path, capsys, threads=2), played.script())


def test_smolagents_gets_its_answer_as_a_call(server: Loopback) -> None:
    part = played.script().parts[1]
    tools = [{"type": "function", "function": {"name": "final_answer"}}]
    said = server.post("/v1/chat/completions", {"messages": [{"role": "user", "content": part.told + part.asked}]})
    assert said["choices"][0]["finish_reason"] == "stop"
    asked = {"messages": [{"role": "user", "content": part.told + part.asked}], "tools": tools}
    choice = server.post("/v1/chat/completions", asked)["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["tool_calls"][0]["function"]["arguments"] == '{"answer": "Yes, very."}'


def test_what_the_server_cannot_do_is_an_error_that_says_so(server: Loopback) -> None:
    with pytest.raises(RuntimeError, match="no question"):
        server.post("/v1/chat/completions", {"messages": [{"role": "user", "content": "?"}]})
    with pytest.raises(RuntimeError, match="does not stream"):
        server.post("/v1/chat/completions", {"messages": [], "stream": True})
    with pytest.raises(RuntimeError, match="nothing at"):
        server.post("/v1/models", {})


def test_a_missing_python_is_told(random_model: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no Python at"):
        list(contend(record(), random_model, tmp_path / "python"))


@pytest.mark.skipif(not FRAMEWORKS, reason="SCRIBE_FRAMEWORKS_PYTHON names no Python that has the frameworks")
@pytest.mark.timeout(300)
def test_the_real_frameworks_do_what_was_recorded(random_model: Path) -> None:
    done = list(contend(record(), random_model, Path(str(FRAMEWORKS)), 1))
    assert [each.name for each in done] == [each.name for each in CONTENDERS]
    assert all(each.answers == ("Week 2 was about signals.", "You are well.") for each in done)


def ran(make: Make, server: Loopback, folder: Path, capsys: pytest.CaptureFixture[str], threads: int = 1) -> Contended:
    """What this framework did, run here."""
    path = folder / "script.json"
    path.write_text(to_json(played.script()), encoding="utf-8")
    run(make, ("pydantic",), [str(path), "--server", server.models.removesuffix("/v1"), "--threads", str(threads)])
    return Contended.of("this", json.loads(capsys.readouterr().out))


def record() -> Recorded:
    """Two questions as they would have been recorded."""
    called = played.done(
        "What was week 2 about?", (played.ACT, trajectory.Answer("It says so.", "Week 2 was about signals."))
    )
    asked = played.done("Am I well?", (trajectory.Answer("So.", "You are well."),), "s020")
    return Recorded(
        tuple(
            Answered(
                Written("", "dsp", each.task.student, "nr", each.task.question, (), ""),
                tuple(Turn((), (), "", (1,) * 5) for _ in each.steps),
                each,
            )
            for each in (called, asked)
        )
    )
