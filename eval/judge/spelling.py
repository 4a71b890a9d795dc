"""Words of an answer that no word list and no source holds, by the lists that come with pyspellchecker."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

LISTS = {"English": "en", "French": "fr", "German": "de", "Spanish": "es", "Italian": "it", "Portuguese": "pt"}
"""The languages of which there is a list, as a task names them."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
SHORTEST = 3


def unknown(text: str, sources: Iterable[str], language: str) -> tuple[str, ...] | None:
    """The unknown words, each once; None if there is no list of the language.

    Words with a capital are taken for names, words that a source has for the course's own.
    """
    if language not in LISTS:
        return None
    listed = _list(LISTS[language])
    heard = {word.casefold() for source in sources for word in _WORD.findall(source)}
    candidates = dict.fromkeys(word for word in words(text) if word.islower() and word not in heard)
    return tuple(word for word in candidates if not _is_known(word, listed))


def words(text: str) -> list[str]:
    """The words of a text that are long enough to tell."""
    return [word for word in _WORD.findall(text) if len(word) >= SHORTEST]


def _is_known(word: str, listed: Any) -> bool:
    """Whether the list has a word, or each part of one that is put together ("don't", "l'exercice")."""
    return word in listed or all(len(part) < SHORTEST or part in listed for part in re.split("['’]", word))


@cache
def _list(code: str) -> Any:
    from spellchecker import SpellChecker  # a moment, and only the checks without a model need it

    return SpellChecker(language=code)
