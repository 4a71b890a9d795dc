"""Training a verifier of a tiny model, which then runs as the trained ones do."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from finetune.verifier.__main__ import ABOUT, VERIFIER, main
from finetune.verifier.rivals import fit_head, list_rewards
from finetune.verifier.samples import make_samples
from finetune.verifier.training import FrozenVerifier, VerifierNetwork, VerifierSettings
from scribe.verify.opening import TRACER_FILE, VERIFIER_FILE, open_tracer, open_verifier
from scribe.verify.value_head import Pooling
from tests.finetune.verifier.taught import make_dialogues, write_run
from tests.finetune.verifier.test_samples import silent
from tests.scribe.backends.tiny import make_model

DIALOGUES = make_dialogues(2, 2)
SAMPLES = make_samples(DIALOGUES)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.set_num_threads(1)
    return make_model(tmp_path_factory.mktemp("base") / "model")


@pytest.mark.parametrize("pooling", ["all", "response"])
def test_lora_and_head_learn_and_run_as_they_were_trained(base: Path, tmp_path: Path, pooling: Pooling) -> None:
    settings = VerifierSettings(rank=2, epochs=12, batch=4, rate=1e-2, head_rate=3e-2, dropout=0.0, pooling=pooling)
    network = VerifierNetwork(base, settings)
    before = ((network.foretell(SAMPLES) - list_rewards(SAMPLES)) ** 2).mean()
    network.train(SAMPLES, silent)
    foretold = network.foretell(SAMPLES)
    assert ((foretold - list_rewards(SAMPLES)) ** 2).mean() < 0.7 * before
    network.save(tmp_path / "v")
    verifier = open_verifier(tmp_path / "v", base)
    first = DIALOGUES[0]
    asked = verifier.value(first.before(1), [first.whole.turns[2].text]).rewards
    assert asked[0] == pytest.approx(foretold[1], abs=1e-3)


def test_the_same_seed_trains_the_same_verifier(base: Path) -> None:
    settings = VerifierSettings(rank=2, epochs=1, batch=4)
    one, other = (VerifierNetwork(base, settings) for _ in range(2))
    assert one.train(SAMPLES, silent) == pytest.approx(other.train(SAMPLES, silent), rel=1e-4)
    assert one.foretell(SAMPLES) == pytest.approx(other.foretell(SAMPLES), rel=1e-4)  # sums depend on the load


@pytest.mark.parametrize("pooling", ["all", "response"])
def test_a_head_on_shared_states_gives_what_the_network_gives(base: Path, pooling: Pooling) -> None:
    network = VerifierNetwork(base, VerifierSettings(rank=0, pooling=pooling))
    means = network.pool(SAMPLES, silent)
    weights, bias = fit_head(means, list_rewards(SAMPLES))
    network.take_head(weights, bias)
    expected = 1 / (1 + np.exp(-(means @ weights + bias)))
    assert network.foretell(SAMPLES) == pytest.approx(expected, abs=1e-3)
    learned = np.ones(len(SAMPLES), dtype=bool)
    assert FrozenVerifier(SAMPLES, means).foretell(learned) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("rank", ["0", "2"])
def test_the_command_writes_a_tracer_and_a_verifier_that_open(base: Path, tmp_path: Path, rank: str) -> None:
    run, out = write_run(tmp_path / "run", ["final-grade", "bus-timetable"]), tmp_path / "out"
    given = ["--network", "--base", str(base), "--rank", rank, "--epochs", "1"]
    assert main([str(run), "--out", str(out), "--folds", "2", *given]) == 0
    open_tracer(out / TRACER_FILE)
    session = DIALOGUES[0].before(1)
    assert 0 < open_verifier(out / VERIFIER, base).value(session, ["Look at the first price."]).rewards[0] < 1
    assert 0 < open_verifier(out / VERIFIER_FILE).value(session, ["Look at the first price."]).rewards[0] < 1
    assert not (tmp_path / ".out.folds").exists()
    about = json.loads((out / ABOUT).read_text(encoding="utf-8"))
    assert about["dialogues"] == {"scripted": 4}
    assert about["successes"] == {"scripted": 2}
    assert "pairwise" in (out / "verifier.md").read_text(encoding="utf-8")


def test_what_cannot_be_trained_is_refused_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = write_run(tmp_path / "run", ["final-grade"])
    assert main([str(run), "--out", str(tmp_path / "out")]) == 2
    assert "1 tasks cannot be split into 5 folds" in capsys.readouterr().err
    assert main([str(run), "--out", str(tmp_path / "out"), "--rank", "-1"]) == 2
    assert "rank" in capsys.readouterr().err
    assert main([str(run), "--out", str(run)]) == 2
    assert "holds something else" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
