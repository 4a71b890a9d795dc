"""Models of a real one's shape with random weights: as fast and as large as it, and free to make.

They have the embedded model's tokenizer, with tokens that no text has behind its own up to Llama 3's 128,256, so that
prompts have the same ids as recorded. `shape_file` writes them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from gguf import LlamaFileType

from eval.bench.blocks import Q4_0, Q6_K, Q8_0, Format


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a Llama. weights, output: how matrices are stored; without output it is tied to the embedding."""

    layers: int
    width: int
    feed: int
    heads: int
    key_heads: int
    weights: Format
    file_type: LlamaFileType
    output: Format | None = None
    vocabulary: int = 128_256

    @property
    def head(self) -> int:
        """Numbers of one head."""
        return self.width // self.heads

    def matrices(self) -> Iterator[tuple[str, tuple[int, int], Format]]:
        """Name, (rows, width) and format of each."""
        yield "token_embd", (self.vocabulary, self.width), self.weights
        if self.output:
            yield "output", (self.vocabulary, self.width), self.output
        keys = self.key_heads * self.head
        layer = {"attn_q": (self.width, self.width), "attn_k": (keys, self.width), "attn_v": (keys, self.width)}
        layer |= {"attn_output": (self.width, self.width), "ffn_gate": (self.feed, self.width)}
        layer |= {"ffn_up": (self.feed, self.width), "ffn_down": (self.width, self.feed)}
        for at in range(self.layers):
            yield from ((f"blk.{at}.{name}", size, self.weights) for name, size in layer.items())

    def vectors(self) -> Iterator[tuple[str, int]]:
        """Name and length of what is all ones."""
        yield "output_norm", self.width
        yield "rope_freqs", self.head // 2
        for at in range(self.layers):
            yield from ((f"blk.{at}.{name}", self.width) for name in ("attn_norm", "ffn_norm"))


SHAPES = {
    "1b": Shape(16, 2048, 8192, 32, 8, Q8_0, LlamaFileType.MOSTLY_Q8_0),
    "8b": Shape(32, 4096, 14336, 32, 8, Q4_0, LlamaFileType.MOSTLY_Q4_0, Q6_K),
}
"""Of Llama 3.2 1B and Llama 3.1 8B, stored as llama-quantize does it for Q8_0 and Q4_0."""
