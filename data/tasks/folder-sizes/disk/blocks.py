"""Blocks, the smallest parts of a disk that a file can take up."""

BLOCK = 4096
"""Bytes in a block."""


def blocks_of(size: int) -> int:
    """How many blocks a file of so many bytes takes up; a block that is begun counts whole."""
    return -(-size // BLOCK)
