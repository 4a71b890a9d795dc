"""One tiny model, an adapter of it as peft writes it, and real trajectories, for all tests of the export."""

from dataclasses import replace
from pathlib import Path

import pytest

from data.bundle import find
from scribe import records
from scribe.records import Record
from scribe.trajectory import Act, Answer, Call, Observation, Stop, Trajectory
from tests.finetune.export.tiny_adapter import make_adapter
from tests.scribe.backends.tiny import make_model
from tools.conversation import make_task


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("export") / "base" / "hf", tied=False, seed=1)


@pytest.fixture(scope="session")
def adapter(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_adapter(base, tmp_path_factory.mktemp("adapters") / "plain")


@pytest.fixture(scope="session")
def trajectories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two questions of a real student with the tools' words and an answer."""
    path = tmp_path_factory.mktemp("trajectories") / "kept.jsonl"
    asked = ("What is week 3 about?", "and what week 4?")
    records.write(path, (_record(f"q{at}", question) for at, question in enumerate(asked)))
    return path


def _record(id: str, question: str) -> Record:
    call = Call("map_week_to_topic", {"week": 3})
    seen = Observation(True, '{"says": "Week 3 is about quokkas."}')
    steps = (Act("I look it up.", (call,), (seen,)), Answer("That is all.", "It is about quokkas, splendidly."))
    asked = replace(make_task(find("dsp"), "s010", question), report="Week 3 went well.", about="")
    return Record.of(Trajectory(asked, steps, Stop.ANSWERED), id, {})
