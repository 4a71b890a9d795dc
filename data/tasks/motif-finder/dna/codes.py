"""Letters that stand for one or several bases."""

BASES = {"A": "A", "C": "C", "G": "G", "T": "T", "R": "AG", "Y": "CT", "S": "CG", "W": "AT", "N": "ACGT"}
"""The bases for which each letter of a motif stands."""


def fits(base: str, letter: str) -> bool:
    """Whether a base, in capitals, is one of those for which a letter stands."""
    return base in BASES[letter]
