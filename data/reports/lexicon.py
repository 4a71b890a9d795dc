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
def compile_table(name: str) -> Mapping[str, re.Pattern[str]]:
    """All of the table "refused" (by the reason why no report may say it) or "sides" (by the side that is claimed)."""
    table = read_words("claims.toml")[name].items()
    return {key: re.compile("|".join(alternatives), re.IGNORECASE) for key, alternatives in table}


@cache
def list_words_after_you() -> frozenset[str]:
    """The words that may stand behind "you" or "your" in a sentence that claims nothing."""
    return frozenset(read_words("claims.toml")["after_you"]["words"].split())
