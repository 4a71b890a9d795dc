"""The regular expressions of claims.toml, compiled."""

import re
from collections.abc import Mapping
from functools import cache

from data.reports.phrasebook import read_words


@cache
def compile_words(name: str) -> re.Pattern[str]:
    """What is listed in [words] under this name, as whole words."""
    return re.compile(rf"\b(?:{'|'.join(read_words('claims.toml')['words'][name])})\b", re.IGNORECASE)


@cache
def compile_expression(name: str) -> re.Pattern[str]:
    """What is listed in [expressions] under this name."""
    return re.compile("|".join(read_words("claims.toml")["expressions"][name]), re.IGNORECASE)


@cache
def compile_refused() -> Mapping[str, re.Pattern[str]]:
    """What no report may say, by the reason why."""
    refused = read_words("claims.toml")["refused"].items()
    return {reason: re.compile("|".join(alternatives), re.IGNORECASE) for reason, alternatives in refused}


@cache
def list_words_after_you() -> frozenset[str]:
    """The words that may stand behind "you" or "your" in a sentence that claims nothing."""
    return frozenset(read_words("claims.toml")["after_you"]["words"].split())
