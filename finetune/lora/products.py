"""LoRA's product in fewer passes over memory than peft makes, for training in float32 on a processor.

peft computes the frozen product, the two small ones, a scaled copy and a sum, and casts between them. Here the small
product is added into the frozen one where it lies, forwards and backwards; the gradients are the same (a test holds
that). On two cores with AVX-512 it trains about 1.3 times as many ids a second.
"""

from typing import Any

import torch
from peft.tuners.lora import Linear
from torch import Tensor

from finetune.lora.settings import StageSettings


class LoraProduct(torch.autograd.Function):
    """y = x Wᵀ + s (x Aᵀ) Bᵀ with W frozen (Hu et al. 2021, equation 3)."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor, a: Tensor, b: Tensor, scale: float) -> Tensor:
        """x: (S, in), w: (out, in), a: (rank, in), b: (out, rank); returns (S, out)."""
        small = x @ a.t()
        ctx.save_for_backward(x, w, a, b, small)
        ctx.scale = scale
        return (x @ w.t()).addmm_(small, b.t(), alpha=scale)

    @staticmethod
    def backward(ctx: Any, *above: Tensor) -> tuple[Tensor, None, Tensor, Tensor, None]:
        """The gradients of x, a and b from that of y."""
        (dy,) = above
        x, w, a, b, small = ctx.saved_tensors
        dsmall = (dy @ b).mul_(ctx.scale)
        dx = (dy @ w).addmm_(dsmall, a)
        return dx, None, dsmall.t() @ x, (dy.t() @ small).mul_(ctx.scale), None


def fits(settings: StageSettings, device: str) -> bool:
    """Whether a stage can be trained with it: one adapter in float32, nothing dropped out, on a processor."""
    return device == "cpu" and settings.precision == "f32" and not settings.dropout and not settings.nf4


def fuse(model: Any, adapter: str) -> None:
    """Let every LoRA module of a peft model whose one adapter is `adapter` compute its product so."""
    for module in model.modules():
        if isinstance(module, Linear):
            module.forward = _forward(module, adapter)  # type: ignore[method-assign]


def _forward(module: Any, adapter: str) -> Any:
    base, scale = module.base_layer, module.scaling[adapter]
    a, b = module.lora_A[adapter], module.lora_B[adapter]

    def forward(x: Tensor, *_: Any, **__: Any) -> Tensor:
        flat = x.reshape(-1, x.shape[-1])
        return LoraProduct.apply(flat, base.weight, a.weight, b.weight, scale).view(*x.shape[:-1], -1)  # type: ignore[no-any-return, no-untyped-call]

    return forward
