"""What an argument of the command line may be: text to a value, or a complaint that says what is valid."""

import argparse
from collections.abc import Iterable
from datetime import date


def not_negative(text: str) -> float:
    """A temperature or an amount, 0 or more."""
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is too small or too large; use a number from 0 on, e.g. 0.7")
    return value


def whole(text: str) -> int:
    """A whole number from 0 on."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is not a number; use a whole number from 0 on")
    return int(text)


def count(text: str) -> int:
    """A whole number from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number; use a whole number from 1 on")
    return int(text)


def day(text: str) -> date:
    """A date such as 2025-09-15."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text} is not a date; write it as 2025-09-15") from error


def names(given: Iterable[str]) -> tuple[str, ...]:
    """Names between blanks or commas, as they may be given behind one argument: `a b` or `a,b`."""
    return tuple(name.strip() for part in given for name in part.split(",") if name.strip())


def port(text: str) -> int:
    """A port of this machine."""
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text} is not a port; use 1 to 65535")
    return int(text)
