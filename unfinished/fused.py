"""Fewer passes over memory in a LoRA step on a CPU."""
import torch
from torch import nn
from typing import Any

class LoraProduct(torch.autograd.Function):
    """y = x Wᵀ + s (x Aᵀ) Bᵀ with frozen W."""
    @staticmethod
    def forward(ctx, x, w, a, b, s):
        h = x @ a.t()
        y = x @ w.t()
        y.addmm_(h, b.t(), alpha=s)
        ctx.save_for_backward(x, w, a, b, h); ctx.s = s
        return y
    @staticmethod
    def backward(ctx, dy):
        x, w, a, b, h = ctx.saved_tensors
        dh = (dy @ b).mul_(ctx.s)
        dx = dy @ w
        dx.addmm_(dh, a)
        return dx, None, dh.t() @ x, (dy.t() @ h).mul_(ctx.s), None

def fuse_linear(module):
    def forward(x, *args, **kw):
        a, b = module.lora_A["default"].weight, module.lora_B["default"].weight
        y = LoraProduct.apply(x.reshape(-1, x.shape[-1]), module.base_layer.weight, a, b, module.scaling["default"])
        return y.view(*x.shape[:-1], y.shape[-1])
    module.forward = forward

def rms(x, w, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * w
def swiglu(g, u):
    return torch.nn.functional.silu(g) * u
def rope(q, k, cos, sin):
    def turn(x):
        h = x.shape[-1] // 2
        return torch.cat((-x[..., h:], x[..., :h]), -1)
    return q * cos + turn(q) * sin, k * cos + turn(k) * sin
def fuse(model, compile=True):
    from peft.tuners.lora import Linear
    import transformers.models.llama.modeling_llama as L
    c = (lambda f: torch.compile(f, dynamic=True)) if compile else (lambda f: f)
    crms, cswi, crope = c(rms), c(swiglu), c(rope)
    for m in model.modules():
        if isinstance(m, Linear): fuse_linear(m)
        elif isinstance(m, L.LlamaRMSNorm):
            m.forward = (lambda x, m=m: crms(x, m.weight, m.variance_epsilon))
        elif isinstance(m, L.LlamaMLP):
            m.forward = (lambda x, m=m: m.down_proj(cswi(m.gate_proj(x), m.up_proj(x))))
    L.apply_rotary_pos_emb = lambda q, k, cos, sin, unsqueeze_dim=1: crope(q, k, cos.unsqueeze(1), sin.unsqueeze(1))
def attend(module, query, key, value, attention_mask, scaling, layout, **_):
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    sizes = ([layout.shared] if layout.shared else []) + list(layout.rests)
    qs, ks, vs = (t.split(sizes, 2) for t in (query, key, value))
    out = []; sd = torch.nn.functional.scaled_dot_product_attention
    if layout.shared:
        out.append(sd(qs[0], ks[0], vs[0], is_causal=True, scale=scaling)); k0, v0 = ks[0], vs[0]
        qs, ks, vs = qs[1:], ks[1:], vs[1:]
    for q, k, v in zip(qs, ks, vs):
        if layout.shared:
            n = q.shape[2]
            out.append(sd(q, torch.cat([k0, k], 2), torch.cat([v0, v], 2), attn_mask=mask(n, layout.shared), scale=scaling))
        else: out.append(sd(q, k, v, is_causal=True, scale=scaling))
    return torch.cat(out, 2).transpose(1, 2).contiguous(), None
_M = {}
def mask(n, p):
    """float mask, made once a pass"""
    m = _M.get((n, p))
    if m is None:
        if len(_M) > 64: _M.clear()
        m = torch.zeros(n, p + n).masked_fill_(~torch.ones(n, p + n, dtype=torch.bool).tril(p), float("-inf")); _M[n, p] = m
    return m
