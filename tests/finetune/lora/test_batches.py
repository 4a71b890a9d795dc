"""Rows computed together give the loss and the gradients that they give one by one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from transformers import AutoModelForCausalLM

from finetune.examples.rows import UNLABELLED, Example, TokenRow, make_example
from finetune.lora import loss, products
from finetune.lora.batches import pack, plan_epoch
from finetune.lora.network import list_trained_weights, load_network
from finetune.settings import Precision, Stage, StageSettings
from scribe.plumbing.errors import UsageError

EXACT = StageSettings("single", rank=4, dropout=0.0, precision="f32", gradient_checkpointing=False, device="cpu")


def group(batch_size: int, micro_batch_size: int, tokens: int) -> StageSettings:
    return replace(EXACT, batch_size=batch_size, micro_batch_size=micro_batch_size, max_tokens_per_batch=tokens)


def chosen(rows: list[TokenRow], stage: Stage = "single") -> list[Example]:
    return [made for row in rows if (made := make_example(row, stage))]


@pytest.fixture
def model(base: Path) -> Any:
    """With an adapter that is no longer at its beginning, where B is zero and A has no gradient."""
    made = load_network(EXACT, base)
    random = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for weight in list_trained_weights(made).values():
            weight.copy_(torch.randn(weight.shape, generator=random) * 0.05)
    return made


def gradients(model: Any, batches: list[list[Example]], padded: bool = False) -> tuple[float, dict[str, torch.Tensor]]:
    model.zero_grad()
    total = sum(loss.sum_loss(model.get_base_model(), pack(one, padded)) for one in batches)
    assert isinstance(total, torch.Tensor)
    total.backward()  # type: ignore[no-untyped-call]
    kept = {name: w.grad.clone() for name, w in list_trained_weights(model).items() if w.grad is not None}
    return float(total.detach()), kept


@pytest.mark.parametrize("learned", ["first", "later", "single"])
def test_together_gives_the_loss_and_gradients_of_one_by_one(model: Any, rows: list[TokenRow], learned: Stage) -> None:
    made = chosen(rows, learned)
    alone = gradients(model, [[each] for each in made])
    passes = next(iter(plan_epoch(made, group(100, 4, 8192), np.random.default_rng(0))))
    assert max(len(one) for one in passes) == 4
    together = gradients(model, [[made[at] for at in one] for one in passes])
    assert together[0] == pytest.approx(alone[0], rel=1e-5)
    for name, gradient in alone[1].items():
        assert torch.allclose(together[1][name], gradient, rtol=1e-3, atol=1e-4 * float(gradient.abs().max())), name


def test_a_constant_prefix_changes_no_loss_and_teaches_by_the_suffixes_alone(model: Any, rows: list[TokenRow]) -> None:
    batch = pack(chosen(rows)[:4])
    network = model.get_base_model()
    whole = loss.sum_loss(network, batch)
    constant = loss.sum_loss(network, batch, through_prefix=False)
    assert float(constant.detach()) == pytest.approx(float(whole.detach()), rel=1e-5)
    model.zero_grad()
    constant.backward()  # type: ignore[no-untyped-call]
    kept = {
        name: weight.grad.clone() for name, weight in list_trained_weights(model).items() if weight.grad is not None
    }
    _, through = gradients(model, [chosen(rows)[:4]])
    top = [name for name in kept if "layers.1" in name and "q_proj.lora_B" in name]  # the last layer's questions
    assert top
    assert all(torch.allclose(kept[name], through[name], rtol=1e-3, atol=1e-6) for name in top)
    assert any(not torch.allclose(kept[name], through[name], rtol=1e-3) for name in kept)


def test_alone_gives_the_loss_that_transformers_computes(base: Path, rows: list[TokenRow]) -> None:
    theirs = AutoModelForCausalLM.from_pretrained(base)
    made = chosen(rows)[1]
    said = theirs(torch.from_numpy(made.ids)[None]).logits[0, :-1].float()
    wanted = F.cross_entropy(said, torch.from_numpy(made.labels)[1:], reduction="sum", ignore_index=UNLABELLED)
    ours = loss.sum_loss(load_network(EXACT, base).get_base_model(), pack([made]))
    assert float(ours) == pytest.approx(float(wanted), rel=1e-5)


def test_padded_rows_give_the_loss_and_gradients_of_one_by_one(model: Any, rows: list[TokenRow]) -> None:
    made = chosen(rows)
    alone = gradients(model, [[each] for each in made])
    longest = max(len(each.ids) for each in made)
    settings = replace(group(100, 4, 4 * longest), share_prefix=False)
    passes = [one for step in plan_epoch(made, settings, np.random.default_rng(0)) for one in step]
    assert sorted(at for one in passes for at in one) == list(range(len(made)))
    assert all(len(pack([made[at] for at in one], padded=True).ids) <= 4 * longest for one in passes)
    together = gradients(model, [[made[at] for at in one] for one in passes], padded=True)
    assert together[0] == pytest.approx(alone[0], rel=1e-5)
    for name, gradient in alone[1].items():
        assert torch.allclose(together[1][name], gradient, rtol=1e-3, atol=1e-4 * float(gradient.abs().max())), name


def test_recomputing_and_logits_in_pieces_change_no_gradient(
    base: Path, rows: list[TokenRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = chosen(rows)[:4]
    plain = gradients(load_network(EXACT, base), [made])
    sparing = load_network(replace(EXACT, gradient_checkpointing=True), base)
    monkeypatch.setattr(loss, "AT_ONCE", 7)
    pieces = gradients(sparing, [made])
    assert pieces[0] == pytest.approx(plain[0], rel=1e-6)
    assert all(torch.allclose(pieces[1][name], gradient, atol=1e-5) for name, gradient in plain[1].items())


def test_what_rows_share_is_computed_once_and_never_holds_a_label(rows: list[TokenRow]) -> None:
    made = chosen(rows)[:6]
    batch = pack(made)
    assert batch.layout.shared >= made[0].prefix
    assert len(batch.ids) == batch.layout.shared + sum(batch.layout.suffixes) < batch.tokens
    assert batch.tokens == sum(len(each.ids) for each in made)
    assert batch.supervised == sum(each.supervised for each in made)
    twins = pack([made[0], made[0]])  # alike to the end, yet each must learn its own labels
    assert twins.supervised == 2 * made[0].supervised


def test_an_epoch_takes_every_row_once_in_steps_of_equal_size(rows: list[TokenRow]) -> None:
    made = chosen(rows)
    order = list(plan_epoch(made, group(5, 4, 8192), np.random.default_rng(3)))
    sizes = [sum(len(one) for one in step) for step in order]
    assert sizes == [5, 5, 5, 3]
    assert sorted(at for step in order for one in step for at in one) == list(range(len(made)))
    for one in (one for step in order for one in step):
        assert len({made[at].ids[: made[at].prefix].tobytes() for at in one}) == 1


def test_a_pass_holds_no_more_ids_than_it_may(rows: list[TokenRow]) -> None:
    made = chosen(rows)
    longest = max(len(each.ids) for each in made)
    for step in plan_epoch(made, group(18, 18, longest + 300), np.random.default_rng(0)):
        for one in step:
            assert len(pack([made[at] for at in one]).ids) <= longest + 300
    every = next(iter(plan_epoch(made, group(18, 18, 1), np.random.default_rng(0))))
    assert [len(one) for one in every] == [1] * 18


def test_the_fused_product_gives_the_gradients_of_peft(
    base: Path, rows: list[TokenRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = chosen(rows)[:4]

    def of(fused: bool) -> tuple[float, dict[str, torch.Tensor]]:
        with monkeypatch.context() as patch:
            patch.setattr(products, "can_fuse", lambda *_: fused)
            model = load_network(EXACT, base)
        with torch.no_grad():
            for place, weight in enumerate(list_trained_weights(model).values()):
                weight.copy_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(place)) * 0.05)
        return gradients(model, [made])

    ours, theirs = of(True), of(False)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-5)
    for name, gradient in theirs[1].items():
        assert torch.allclose(ours[1][name], gradient, rtol=1e-3, atol=1e-4 * float(gradient.abs().max())), name


@pytest.mark.parametrize("recompute", [False, True])
@pytest.mark.parametrize("smaller", ["int8", "bf16"])
def test_a_constant_prefix_in_smaller_numbers_points_where_the_exact_one_does(
    base: Path, rows: list[TokenRow], recompute: bool, smaller: Precision
) -> None:
    batch = pack(chosen(rows)[:4])
    found = []
    both: tuple[Precision, ...] = ("f32", smaller)
    for precision in both:
        model = load_network(replace(EXACT, precision=precision, gradient_checkpointing=recompute), base)
        with torch.no_grad():
            for place, weight in enumerate(list_trained_weights(model).values()):
                weight.copy_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(place)) * 0.05)
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bf16"):
            said = loss.sum_loss(model.get_base_model(), batch, through_prefix=False)
        said.backward()  # type: ignore[no-untyped-call]
        found.append(torch.cat([w.grad.flatten() for w in list_trained_weights(model).values() if w.grad is not None]))
    assert float(F.cosine_similarity(found[0], found[1], dim=0)) > 0.98


def test_fixed_layers_keep_their_adapter_and_the_file_has_it(base: Path, rows: list[TokenRow]) -> None:
    model = load_network(replace(EXACT, frozen_layers=1), base)
    assert set(list_trained_weights(model)) == set(list_trained_weights(load_network(EXACT, base)))
    _, kept = gradients(model, [chosen(rows)[:2]])
    assert kept and all("layers.1." in name for name in kept)
    with pytest.raises(UsageError, match="frozen_layers = 2 leaves nothing to learn in a model of 2 layers"):
        load_network(replace(EXACT, frozen_layers=2), base)


def test_frozen_products_in_integers_point_where_the_exact_gradients_do(base: Path, rows: list[TokenRow]) -> None:
    made = chosen(rows)[:4]
    found = []
    for precision in ("f32", "int8"):
        model = load_network(replace(EXACT, precision=precision), base)
        with torch.no_grad():
            for place, weight in enumerate(list_trained_weights(model).values()):
                weight.copy_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(place)) * 0.05)
        found.append(gradients(model, [made]))
    (exact_loss, exact), (loss_in_integers, integers) = found
    assert loss_in_integers == pytest.approx(exact_loss, rel=0.02)
    flat = [torch.cat([each[name].flatten() for name in exact]) for each in (exact, integers)]
    assert float(F.cosine_similarity(flat[0], flat[1], dim=0)) > 0.98
