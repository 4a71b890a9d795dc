"""Where motifs occur."""

from dataclasses import dataclass

from dna.codes import fits

COMPLEMENTS = str.maketrans("ACGTRYSWN", "TGCAYRSWN")


@dataclass(frozen=True)
class Hit:
    """One occurrence: where it begins, counted from 1, and the strand, "+" or "-"."""

    position: int
    strand: str


def reverse_complement(motif: str) -> str:
    """How a motif, in capitals, reads on the other strand: `GAAC` becomes `GTTC`."""
    return motif.translate(COMPLEMENTS)[::-1]


def find_motif(sequence: str, motif: str, tolerance: int = 0) -> list[Hit]:
    """The occurrences of a motif of at least one letter, at most `tolerance` bases of which do not fit."""
    raise NotImplementedError
