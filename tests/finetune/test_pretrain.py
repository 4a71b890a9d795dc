"""Training: the loss falls, a killed run goes on as if nothing had happened, and the log tells of both."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from finetune.examples import Group, Tail
from finetune.network import Network, Shape
from finetune.pretrain import Batch, Recipe, Run, batch, batches, evaluate, losses

SHAPE = Shape(vocabulary=40, width=32, layers=2, hidden=32, heads=1, context=128)


class StoppingNetwork(Network):
    """A network whose process is killed at a given step."""

    def __init__(self, steps: int) -> None:
        torch.manual_seed(0)
        super().__init__(SHAPE)
        self.left = steps

    def forward(self, prefix: Tensor, tails: Tensor) -> Tensor:
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return super().forward(prefix, tails)


def some_groups(count: int = 3, tails: int = 6) -> list[Group]:
    """Counting up from a random number: each next token is sure, and only the second half is taught."""
    draw = np.random.default_rng(0)

    def counting(length: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        return ((np.arange(length) + draw.integers(40)) % 40).astype(np.int32)

    def tail(length: int) -> Tail:
        return Tail(counting(length), (np.arange(length) >= length // 2).astype(np.float32))

    return [
        Group(counting(12), 6, tuple(tail(int(draw.integers(8, 16))) for _ in range(tails)))
        for _ in range(count)
    ]


@pytest.fixture
def network() -> Network:
    torch.manual_seed(0)
    return Network(SHAPE)


def log(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def slow(rate: float) -> Recipe:
    """So long that the rate stays where it begins, a fiftieth of its peak; a checkpoint after every step."""
    return Recipe(minutes=1e6, rate=50 * rate, tails=4, checkpoint_minutes=0.0)


def killed(folder: Path, steps: int, rate: float = 0.002) -> Run:
    network = StoppingNetwork(steps)
    run = Run(network, slow(rate), folder)
    with pytest.raises(KeyboardInterrupt):
        run.train(some_groups(), [])
    network.left = -1
    return run


def test_the_loss_falls(network: Network, tmp_path: Path) -> None:
    watched = [batch(group, group.tails) for group in some_groups()]
    before = evaluate(network, watched)
    after = evaluate(killed(tmp_path, 20, rate=0.02).network, watched)
    assert after["held_loss"] < before["held_loss"] / 2
    assert after["held_token"] > before["held_token"] + 0.3


def test_a_run_ends_when_its_minutes_are_over_and_logs_how_it_went(network: Network, tmp_path: Path) -> None:
    groups = some_groups()
    watched = [batch(group, group.tails) for group in groups]
    run = Run(network, Recipe(minutes=0.005, tails=4), tmp_path / "run")
    run.train(groups, watched)
    (last,) = log(tmp_path / "run")
    assert (last["step"], last["tokens"]) == (run.steps, run.tokens)
    assert last["minutes"] >= 0.005 and last["loss"] > 0
    assert {name: last[name] for name in ("held_loss", "held_token", "held_whole")} == evaluate(network, watched)
    assert sorted(path.name for path in (tmp_path / "run").iterdir()) == ["checkpoint.pt", "log.jsonl"]


def test_a_run_killed_halfway_ends_where_an_uninterrupted_one_ends(tmp_path: Path) -> None:
    whole = killed(tmp_path / "whole", 14)
    half = killed(tmp_path / "twice", 6).network.state_dict()
    resumed = killed(tmp_path / "twice", 8)
    assert (resumed.steps, resumed.tokens) == (whole.steps, whole.tokens) == (14, whole.tokens)
    moved = 0.0
    for name, weight in whole.network.state_dict().items():
        torch.testing.assert_close(resumed.network.state_dict()[name], weight, atol=1e-6, rtol=1e-6)
        moved = max(moved, float((weight - half[name]).abs().max()))
    assert moved > 1e-3


def test_a_finished_run_is_read_and_not_trained_again(network: Network, tmp_path: Path) -> None:
    Run(network, Recipe(minutes=0.002, tails=4), tmp_path).train(some_groups(), [])
    done = StoppingNetwork(0)
    again = Run(done, Recipe(minutes=0.002, tails=4), tmp_path)
    again.train(some_groups(), [])
    assert again.steps == log(tmp_path)[-1]["step"] and len(log(tmp_path)) == 1
    assert torch.equal(done.lm_head.weight, network.lm_head.weight)


def test_a_pass_goes_through_every_tail_once() -> None:
    groups = some_groups(count=4, tails=8)
    source = batches(groups, Recipe(tails=4))
    for _ in range(2):
        made = [next(source) for _ in range(8)]
        seen = sorted(row[row.nonzero()[0, 0] :].tolist() for each in made for row in each.weights)
        assert sum(len(each.tails) for each in made) == 32
        assert sum(float(each.weights.sum()) for each in made) == sum(
            float(tail.weights.sum()) for group in groups for tail in group.tails
        )
        assert len(seen) == 32


def test_batches_depend_on_the_seed_alone() -> None:
    def first(seed: int) -> list[list[int]]:
        source = batches(some_groups(), Recipe(tails=4, seed=seed))
        return [next(source).tails.flatten().tolist() for _ in range(6)]

    assert first(1) == first(1) and first(1) != first(2)


def test_groups_too_small_for_half_a_step_are_refused_and_not_waited_for() -> None:
    with pytest.raises(ValueError, match="no group has 8 tails"):
        next(batches(some_groups(tails=3), Recipe(tails=16)))


def given(change: Callable[[Tensor, Tensor], None]) -> Batch:
    """The batch of one group after a change to tails or weights."""
    group = some_groups(1, 4)[0]
    made = batch(group, group.tails)
    change(made.tails, made.weights)
    return made


def test_what_bears_no_weight_is_not_learned(network: Network) -> None:
    def nothing(tails: Tensor, weights: Tensor) -> None:
        pass

    def other_last_target(tails: Tensor, weights: Tensor) -> None:
        weights[:, -1] = 0.0
        tails[:, -1] = 7

    def same_without_target(tails: Tensor, weights: Tensor) -> None:
        weights[:, -1] = 0.0

    network.eval()
    plain, changed, same = (
        losses(network, given(change))[0].item()
        for change in (nothing, other_last_target, same_without_target)
    )
    assert changed == pytest.approx(same) and changed != pytest.approx(plain)


def test_thinning_the_background_leaves_the_loss_as_it_is_on_average(network: Network) -> None:
    def lightly(tails: Tensor, weights: Tensor) -> None:
        weights[weights == 0] = 0.1

    made, draws = given(lightly), torch.Generator().manual_seed(0)
    network.eval()
    with torch.no_grad():
        thinned = [losses(network, made, thinning=draws)[0].item() for _ in range(300)]
        assert np.mean(thinned) == pytest.approx(losses(network, made)[0].item(), rel=0.02)
    assert np.std(thinned) > 0.01


def test_whole_tails_count_as_right_only_if_every_taught_token_is(network: Network) -> None:
    group = some_groups(1, 4)[0]
    made = batch(group, group.tails)
    network.eval()
    _, token, whole = losses(network, made)
    assert 0 <= float(token) < 0.5 and whole.tolist() == [0.0] * 4
    untaught = Batch(made.prefix, made.tails, torch.zeros_like(made.weights), made.report_start)
    assert losses(network, untaught)[2].tolist() == [1.0] * 4
