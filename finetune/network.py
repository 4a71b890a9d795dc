"""A Llama in plain PyTorch, made for training many conversations over one shared prefix.

The weights bear Hugging Face's names and meaning (rotate-half RoPE, RMSNorm, SwiGLU, no biases), so a
state dict loads into `LlamaForCausalLM` unchanged. What is special is `forward`: the conversations of one
student share rules, tools, course and report. The prefix is computed once, each tail attends to it, and
gradients flow back through it. The result equals that of the concatenated sequences (tests hold this).
"""

from dataclasses import asdict, dataclass
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - PyTorch's own convention
from torch import Tensor, nn


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the network; heads are full multi-head, `width` = `heads` x 64."""

    vocabulary: int
    width: int = 384
    layers: int = 6
    hidden: int = 1024
    heads: int = 6
    context: int = 4096
    rope_theta: float = 5_000_000.0
    norm_epsilon: float = 1e-5

    @property
    def head(self) -> int:
        """Dimensions of one head."""
        return self.width // self.heads

    def config(self) -> dict[str, Any]:
        """The keyword arguments of `transformers.LlamaConfig`."""
        sizes = asdict(self)
        return {
            "vocab_size": sizes["vocabulary"],
            "hidden_size": self.width,
            "num_hidden_layers": self.layers,
            "intermediate_size": self.hidden,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.heads,
            "max_position_embeddings": self.context,
            "rope_parameters": {"rope_type": "default", "rope_theta": self.rope_theta},
            "rms_norm_eps": self.norm_epsilon,
            "tie_word_embeddings": False,
            "attention_bias": False,
        }


class Norm(nn.Module):
    """Root mean square normalisation, computed in float32."""

    def __init__(self, width: int, epsilon: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.epsilon = epsilon

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x.float(), (x.shape[-1],), self.weight, self.epsilon)


class Attention(nn.Module):
    """Attention of a prefix to itself, and of every tail to the prefix and itself."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            setattr(self, name, nn.Linear(shape.width, shape.width, bias=False))

    def forward(self, x: Tensor, layout: "Layout") -> Tensor:
        """x: (P + B*T, width), the prefix first and then the tails one after the other."""
        q, k, v = (self._heads(getattr(self, name)(x)) for name in ("q_proj", "k_proj", "v_proj"))
        q, k = layout.rotate(q), layout.rotate(k)
        p = layout.prefix
        own = F.scaled_dot_product_attention(q[None, :, :p], k[None, :, :p], v[None, :, :p], is_causal=True)
        keys, values = layout.with_prefix(k), layout.with_prefix(v)
        tails = F.scaled_dot_product_attention(layout.tails_of(q), keys, values, attn_mask=layout.mask)
        merged = torch.cat([own[0].transpose(0, 1).flatten(1), tails.transpose(1, 2).flatten(2).flatten(0, 1)])
        return self.o_proj(merged)  # type: ignore[no-any-return, operator]  # nn.Module attributes are untyped

    def _heads(self, x: Tensor) -> Tensor:
        return x.view(-1, self.shape.heads, self.shape.head).transpose(0, 1)


class Gated(nn.Module):
    """The SwiGLU feed-forward block."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.gate_proj = nn.Linear(shape.width, shape.hidden, bias=False)
        self.up_proj = nn.Linear(shape.width, shape.hidden, bias=False)
        self.down_proj = nn.Linear(shape.hidden, shape.width, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))
        return out


class Layer(nn.Module):
    """One pre-norm transformer layer."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.input_layernorm = Norm(shape.width, shape.norm_epsilon)
        self.self_attn = Attention(shape)
        self.post_attention_layernorm = Norm(shape.width, shape.norm_epsilon)
        self.mlp = Gated(shape)

    def forward(self, x: Tensor, layout: "Layout") -> Tensor:
        x = x + self.self_attn(self.input_layernorm(x), layout)
        out: Tensor = x + self.mlp(self.post_attention_layernorm(x))
        return out


class Layout:
    """Where prefix and tails lie in the flat sequence: positions, rotations and the tails' mask."""

    def __init__(self, shape: Shape, prefix: int, tails: tuple[int, int]) -> None:
        self.prefix, (self.count, self.length) = prefix, tails
        inner = torch.arange(prefix, prefix + self.length).repeat(self.count)
        positions = torch.cat([torch.arange(prefix), inner]).float()
        rates = shape.rope_theta ** (-torch.arange(0, shape.head, 2).float() / shape.head)
        angles = torch.outer(positions, rates).repeat(1, 2)
        self.cos, self.sin = angles.cos(), angles.sin()
        causal = torch.ones(self.length, self.length, dtype=torch.bool).tril()
        self.mask = torch.cat([torch.ones(self.length, prefix, dtype=torch.bool), causal], dim=1)

    def rotate(self, x: Tensor) -> Tensor:
        """Rotary position embedding of (heads, sequence, head)."""
        first, second = x.float().chunk(2, dim=-1)
        turned = torch.cat([-second, first], dim=-1)
        return (x.float() * self.cos + turned * self.sin).to(x.dtype)

    def tails_of(self, x: Tensor) -> Tensor:
        """(heads, P + B*T, head) to the tails (B, heads, T, head)."""
        heads, _, size = x.shape
        return x[:, self.prefix :].view(heads, self.count, self.length, size).transpose(0, 1)

    def with_prefix(self, x: Tensor) -> Tensor:
        """Each tail's keys or values behind those of the prefix: (B, heads, P + T, head)."""
        shared = x[None, :, : self.prefix].expand(self.count, -1, -1, -1)
        return torch.cat([shared, self.tails_of(x)], dim=2)


class Decoder(nn.Module):
    """Embeddings, layers and last norm."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embed_tokens = nn.Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.norm = Norm(shape.width, shape.norm_epsilon)


class Network(nn.Module):
    """The whole language model."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.model = Decoder(shape)
        self.lm_head = nn.Linear(shape.width, shape.vocabulary, bias=False)

    def forward(self, prefix: Tensor, tails: Tensor) -> Tensor:
        """Final hidden states (P + B*T, width) of a prefix (P,) and its tails (B, T)."""
        layout = Layout(self.shape, len(prefix), (tails.shape[0], tails.shape[1]))
        x: Tensor = self.model.embed_tokens(torch.cat([prefix, tails.flatten()]))
        for layer in self.model.layers:
            x = layer(x, layout)
        out: Tensor = self.model.norm(x)
        return out
