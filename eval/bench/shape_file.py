"""A shape's GGUF file, written without holding it in memory. It appears whole or not at all."""

import os
import tempfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from gguf import GGUFReader, GGUFWriter, TokenType

from data.pretrained.shipped import open_shipped_gguf
from eval.bench.shapes import SHAPES, Shape

FOLDER = Path.home() / ".cache" / "scribe-bench"
TRAINED, ALIGNMENT = 131_072, 32
_TOKENS, _TYPES = "tokenizer.ggml.tokens", "tokenizer.ggml.token_type"


def made(name: str, folder: Path = FOLDER) -> Path:
    """The file of one of `SHAPES`, made if it is not there."""
    path = folder / f"llama-{name}-random.gguf"
    if not path.exists():
        write(SHAPES[name], path)
    return path


def write(shape: Shape, path: Path, seed: int = 0) -> None:
    """Make the file; the same seed gives the same bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    os.close(handle)
    try:
        _write(shape, Path(name), np.random.default_rng(seed))
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _write(shape: Shape, path: Path, random: np.random.Generator) -> None:
    writer = GGUFWriter(path, "llama")
    _add_sizes(writer, shape)
    _add_tokenizer(writer, shape.vocabulary)
    for name, size, how in shape.matrices():
        stored = (size[0], how.row_bytes(size[1]))
        writer.add_tensor_info(f"{name}.weight", stored, np.dtype(np.uint8), stored[0] * stored[1], how.kind)
    for name, length in shape.vectors():
        writer.add_tensor_info(f"{name}.weight", (length,), np.dtype(np.float32), 4 * length)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()
    with path.open("ab") as file:
        _pad(file)
        for _, size, how in shape.matrices():
            for rows in how.rows(size, random):
                file.write(rows.data)
            _pad(file)
        for _, length in shape.vectors():
            file.write(np.ones(length, np.float32).tobytes())
            _pad(file)


def _pad(file: BinaryIO) -> None:
    file.write(bytes(-file.tell() % ALIGNMENT))


def _add_sizes(writer: GGUFWriter, shape: Shape) -> None:
    writer.add_name("random weights")
    writer.add_file_type(shape.file_type)
    writer.add_quantization_version(2)
    writer.add_vocab_size(shape.vocabulary)
    writer.add_context_length(TRAINED)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.feed)
    writer.add_head_count(shape.heads)
    writer.add_head_count_kv(shape.key_heads)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(shape.head)
    writer.add_rope_freq_base(500_000.0)


def _add_tokenizer(writer: GGUFWriter, size: int) -> None:
    """The embedded model's, and behind it tokens that begin with the byte 1, which no text holds."""
    for name, field in GGUFReader(open_shipped_gguf()).fields.items():
        if not name.startswith("tokenizer."):
            continue
        value: Any = field.contents()
        if name == _TOKENS:
            value += [f"ā{at:x}" for at in range(len(value), size)]  # ā is how this kind of vocabulary writes byte 1
        elif name == _TYPES:
            value += [int(TokenType.NORMAL)] * (size - len(value))
        writer.add_key_value(name, value, *field.types[:2])
