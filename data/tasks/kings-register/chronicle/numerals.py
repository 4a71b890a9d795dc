"""Roman numerals."""

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
"""What each letter stands for."""


def is_numeral(word: str) -> bool:
    """Whether a word consists of capital letters of Roman numerals."""
    return word != "" and all(letter in VALUES for letter in word)
