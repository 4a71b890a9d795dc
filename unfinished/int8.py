import torch
from typing import Any
def quantize(x):
    s = x.abs().amax(1, keepdim=True).clamp_min_(1e-12).div_(127.0)
    return (x / s).round_().to(torch.int8), s
def product(xq, xs, wq_t, ws):
    return torch._int_mm(xq, wq_t).to(torch.float32).mul_(xs).mul_(ws)
class Int8LoraProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, wq, ws, wtq, wts, a, b, scale):
        xq, xs = quantize(x)
        small = x @ a.t()
        y = product(xq, xs, wq.t(), ws).addmm_(small, b.t(), alpha=scale)
        ctx.save_for_backward(x, wtq, wts, a, b, small); ctx.scale = scale
        return y
    @staticmethod
    def backward(ctx, dy):
        x, wtq, wts, a, b, small = ctx.saved_tensors
        dyq, dys = quantize(dy)
        dsmall = (dy @ b).mul_(ctx.scale)
        dx = None
        if ctx.needs_input_grad[0]: dx = product(dyq, dys, wtq.t(), wts).addmm_(dsmall, a)
        return dx, None, None, None, None, dsmall.t() @ x, (dy.t() @ small).mul_(ctx.scale), None
def fuse_linear(module):
    w = module.base_layer.weight.data
    wq, ws = quantize(w); wtq, wts = quantize(w.t().contiguous())
    ws, wts = ws.t().contiguous(), wts.t().contiguous()
    A, B, s = module.lora_A["default"], module.lora_B["default"], module.scaling["default"]
    def forward(x, *args, **kw):
        y = Int8LoraProduct.apply(x.reshape(-1, x.shape[-1]), wq, ws, wtq, wts, A.weight, B.weight, s)
        return y.view(*x.shape[:-1], y.shape[-1])
    module.forward = forward
def fuse(model):
    from peft.tuners.lora import Linear
    for m in model.modules():
        if isinstance(m, Linear): fuse_linear(m)
