"""Rows computed together give the loss and the gradients that they give one by one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM

from finetune.lora import loss, products, stages
from finetune.lora.bunches import Plan, pack, steps
from finetune.lora.network import adapted, trained_weights
from finetune.lora.rows import UNLABELLED, Example, Row, Stage, example
from finetune.lora.settings import StageSettings
from scribe.errors import UsageError

EXACT = StageSettings("single", rank=4, dropout=0.0, precision="f32", recompute=False, device="cpu")


def chosen(rows: list[Row], stage: Stage = "single") -> list[Example]:
    return [made for row in rows if (made := example(row, stage))]


@pytest.fixture
def model(base: Path) -> Any:
    """With an adapter that is no longer at its beginning, where B is zero and A has no gradient."""
    made = adapted(EXACT, base)
    random = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for weight in trained_weights(made).values():
            weight.copy_(torch.randn(weight.shape, generator=random) * 0.05)
    return made


def gradients(model: Any, bunches: list[list[Example]]) -> tuple[float, dict[str, torch.Tensor]]:
    model.zero_grad()
    total = sum(loss.summed(model.get_base_model(), pack(one)) for one in bunches)
    assert isinstance(total, torch.Tensor)
    total.backward()  # type: ignore[no-untyped-call]
    kept = {name: w.grad.clone() for name, w in trained_weights(model).items() if w.grad is not None}
    return float(total.detach()), kept


@pytest.mark.parametrize("stage", ["first", "later", "single"])
def test_together_gives_the_loss_and_gradients_of_one_by_one(model: Any, rows: list[Row], stage: Stage) -> None:
    made = chosen(rows, stage)
    alone = gradients(model, [[each] for each in made])
    passes = next(iter(steps(made, Plan(100, 4, 8192), np.random.default_rng(0))))
    assert max(len(one) for one in passes) == 4
    together = gradients(model, [[made[at] for at in one] for one in passes])
    assert together[0] == pytest.approx(alone[0], rel=1e-5)
    for name, gradient in alone[1].items():
        assert torch.allclose(together[1][name], gradient, rtol=1e-3, atol=1e-4 * float(gradient.abs().max())), name


def test_a_constant_opening_changes_no_loss_and_teaches_by_the_rests_alone(model: Any, rows: list[Row]) -> None:
    bunch = pack(chosen(rows)[:4])
    network = model.get_base_model()
    whole = loss.summed(network, bunch)
    constant = loss.summed(network, bunch, through_opening=False)
    assert float(constant.detach()) == pytest.approx(float(whole.detach()), rel=1e-5)
    model.zero_grad()
    constant.backward()  # type: ignore[no-untyped-call]
    kept = {name: weight.grad.clone() for name, weight in trained_weights(model).items() if weight.grad is not None}
    _, through = gradients(model, [chosen(rows)[:4]])
    top = [name for name in kept if "layers.1" in name and "q_proj.lora_B" in name]  # the last layer's questions
    assert top
    assert all(torch.allclose(kept[name], through[name], rtol=1e-3, atol=1e-6) for name in top)
    assert any(not torch.allclose(kept[name], through[name], rtol=1e-3) for name in kept)


def test_alone_gives_the_loss_that_transformers_computes(base: Path, rows: list[Row]) -> None:
    theirs = AutoModelForCausalLM.from_pretrained(base)
    made = chosen(rows)[1]
    said = theirs(torch.from_numpy(made.ids)[None]).logits[0, :-1].float()
    wanted = F.cross_entropy(said, torch.from_numpy(made.labels)[1:], reduction="sum", ignore_index=UNLABELLED)
    ours = loss.summed(adapted(EXACT, base).get_base_model(), pack([made]))
    assert float(ours) == pytest.approx(float(wanted), rel=1e-5)


def test_recomputing_and_logits_in_pieces_change_no_gradient(
    base: Path, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = chosen(rows)[:4]
    plain = gradients(adapted(EXACT, base), [made])
    sparing = adapted(replace(EXACT, recompute=True), base)
    monkeypatch.setattr(loss, "AT_ONCE", 7)
    pieces = gradients(sparing, [made])
    assert pieces[0] == pytest.approx(plain[0], rel=1e-6)
    assert all(torch.allclose(pieces[1][name], gradient, atol=1e-5) for name, gradient in plain[1].items())


def test_what_rows_share_is_computed_once_and_never_holds_a_label(rows: list[Row]) -> None:
    made = chosen(rows)[:6]
    bunch = pack(made)
    assert bunch.layout.shared >= made[0].opening
    assert len(bunch.ids) == bunch.layout.shared + sum(bunch.layout.rests) < bunch.tokens
    assert bunch.tokens == sum(len(each.ids) for each in made)
    assert bunch.taught == sum(each.taught for each in made)
    twins = pack([made[0], made[0]])  # alike to the end, yet each must learn its own labels
    assert twins.taught == 2 * made[0].taught


def test_an_epoch_takes_every_row_once_in_steps_of_equal_size(rows: list[Row]) -> None:
    made = chosen(rows)
    order = list(steps(made, Plan(5, 4, 8192), np.random.default_rng(3)))
    sizes = [sum(len(one) for one in step) for step in order]
    assert sizes == [5, 5, 5, 3]
    assert sorted(at for step in order for one in step for at in one) == list(range(len(made)))
    for one in (one for step in order for one in step):
        assert len({made[at].ids[: made[at].opening].tobytes() for at in one}) == 1


def test_a_pass_holds_no_more_ids_than_it_may(rows: list[Row]) -> None:
    made = chosen(rows)
    longest = max(len(each.ids) for each in made)
    for step in steps(made, Plan(18, 18, longest + 300), np.random.default_rng(0)):
        for one in step:
            assert len(pack([made[at] for at in one]).ids) <= longest + 300
    every = next(iter(steps(made, Plan(18, 18, 1), np.random.default_rng(0))))
    assert [len(one) for one in every] == [1] * 18


def test_the_fused_product_gives_the_gradients_of_peft(
    base: Path, rows: list[Row], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = chosen(rows)[:4]

    def of(fused: bool) -> tuple[float, dict[str, torch.Tensor]]:
        with monkeypatch.context() as patch:
            patch.setattr(products, "fits", lambda *_: fused)
            model = adapted(EXACT, base)
        with torch.no_grad():
            for place, weight in enumerate(trained_weights(model).values()):
                weight.copy_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(place)) * 0.05)
        return gradients(model, [made])

    ours, theirs = of(True), of(False)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-5)
    for name, gradient in theirs[1].items():
        assert torch.allclose(ours[1][name], gradient, rtol=1e-3, atol=1e-4 * float(gradient.abs().max())), name


def test_figures_count_as_often_as_they_are_told_to(model: Any, rows: list[Row]) -> None:
    bunch, network = pack(chosen(rows)[:2]), model.get_base_model()
    targets = bunch.targets[bunch.targets != UNLABELLED]
    worth = torch.ones(network.config.vocab_size)
    plain = float(loss.summed(network, bunch).detach())
    assert float(loss.summed(network, bunch, worth=worth).detach()) == pytest.approx(plain, rel=1e-6)
    worth[targets[0]] = 3.0
    alone = pack(chosen(rows)[:2])
    alone.targets[alone.targets != targets[0]] = UNLABELLED
    more = 2.0 * float(loss.summed(network, alone).detach())
    assert float(loss.summed(network, bunch, worth=worth).detach()) == pytest.approx(plain + more, rel=1e-5)


def test_only_words_of_digits_count_more(base: Path) -> None:
    assert stages.worth(EXACT, base) is None
    found = stages.worth(replace(EXACT, figures=3.0), base)
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    assert found is not None and len(found) == tokenizer.get_vocab_size()
    more = {str(tokenizer.id_to_token(id)) for id in (found == 3.0).nonzero()[:, 0].tolist()}
    assert more and all(word.strip("Ġ▁ ").isdecimal() for word in more)
    assert set("0123456789") & more


@pytest.mark.parametrize("recompute", [False, True])
def test_a_constant_opening_in_integers_points_where_the_exact_one_does(
    base: Path, rows: list[Row], recompute: bool
) -> None:
    bunch = pack(chosen(rows)[:4])
    found = []
    for precision in ("f32", "int8"):
        model = adapted(replace(EXACT, precision=precision, recompute=recompute), base)
        with torch.no_grad():
            for place, weight in enumerate(trained_weights(model).values()):
                weight.copy_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(place)) * 0.05)
        loss.summed(model.get_base_model(), bunch, through_opening=False).backward()  # type: ignore[no-untyped-call]
        found.append(torch.cat([w.grad.flatten() for w in trained_weights(model).values() if w.grad is not None]))
    assert float(F.cosine_similarity(found[0], found[1], dim=0)) > 0.98


def test_fixed_layers_keep_their_adapter_and_the_file_has_it(base: Path, rows: list[Row]) -> None:
    model = adapted(replace(EXACT, lowest=1), base)
    assert set(trained_weights(model)) == set(trained_weights(adapted(EXACT, base)))
    _, kept = gradients(model, [chosen(rows)[:2]])
    assert kept and all("layers.1." in name for name in kept)
    with pytest.raises(UsageError, match="lowest = 2 leaves nothing to learn in a model of 2 layers"):
        adapted(replace(EXACT, lowest=2), base)


def test_frozen_products_in_integers_point_where_the_exact_gradients_do(base: Path, rows: list[Row]) -> None:
    made = chosen(rows)[:4]
    found = []
    for precision in ("f32", "int8"):
        model = adapted(replace(EXACT, precision=precision), base)
        with torch.no_grad():
            for place, weight in enumerate(trained_weights(model).values()):
                weight.copy_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(place)) * 0.05)
        found.append(gradients(model, [made]))
    (exact_loss, exact), (loss_in_integers, integers) = found
    assert loss_in_integers == pytest.approx(exact_loss, rel=0.02)
    flat = [torch.cat([each[name].flatten() for name in exact]) for each in (exact, integers)]
    assert float(F.cosine_similarity(flat[0], flat[1], dim=0)) > 0.98
