"""The opening is read once without gradients; rests attend to its keys and values as to constants."""
import torch
from torch.nn.functional import scaled_dot_product_attention as sd
from fused import fuse, mask
from finetune.lora.loss import _entropy, UNLABELLED
KV = {}
MODE = ["rest"]
def attend(module, query, key, value, attention_mask, scaling, layout, **_):
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = key.repeat_interleave(groups, 1), value.repeat_interleave(groups, 1)
    if MODE[0] == "opening":
        KV[module.layer_idx] = key, value
        return sd(query, key, value, is_causal=True, scale=scaling).transpose(1, 2).contiguous(), None
    sizes = list(layout.rests); out = []
    qs, ks, vs = (t.split(sizes, 2) for t in (query, key, value))
    kv = KV.get(module.layer_idx) if layout.shared else None
    for q, k, v in zip(qs, ks, vs):
        if kv is not None:
            out.append(sd(q, torch.cat([kv[0], k], 2), torch.cat([kv[1], v], 2), attn_mask=mask(q.shape[2], layout.shared), scale=scaling))
        else: out.append(sd(q, k, v, is_causal=True, scale=scaling))
    return torch.cat(out, 2).transpose(1, 2).contiguous(), None
def summed(network, bunch):
    p = bunch.layout.shared; KV.clear()
    if p:
        MODE[0] = "opening"
        with torch.no_grad():
            network.model(input_ids=bunch.ids[None, :p], position_ids=bunch.positions[None, :p], use_cache=False, layout=bunch.layout)
        MODE[0] = "rest"
    h = network.model(input_ids=bunch.ids[None, p:], position_ids=bunch.positions[None, p:], use_cache=False, layout=bunch.layout).last_hidden_state[0]
    t = bunch.targets[p:]; places = (t != UNLABELLED).nonzero()[:, 0]
    total = 0
    for one in torch.split(places, 1024):
        total = total + _entropy(network.lm_head, h[one], t[one])
    return total
