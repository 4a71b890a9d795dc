"""Names in an answer, of behaviours and topics, that neither the sources nor the conversation so far have said."""

import re
from collections.abc import Sequence

from scribe.grounding.words import fold


def find_unknown(answer: str, known: str, groups: Sequence[Sequence[str]]) -> list[str]:
    """Names in the answer of which no synonym is in `known`; the longest name wins where names overlap."""
    rest, plain, unknown = answer, fold(known), []
    by_length = sorted(((name, group) for group in groups for name in group), key=lambda pair: -len(pair[0]))
    folded = fold(answer)
    for name, group in by_length:
        if fold(name) in folded and (pattern := _pattern(name)).search(rest):
            rest = pattern.sub(" ", rest)
            if not any(_is_said(synonym, known, plain) for synonym in group):
                unknown.append(name)
    return unknown


def _is_said(name: str, known: str, plain: str) -> bool:
    return fold(name) in plain and bool(_pattern(name).search(known))


def _pattern(name: str) -> re.Pattern[str]:
    flags = re.NOFLAG if name.isupper() else re.IGNORECASE
    return re.compile(rf"(?<!\w){re.escape(name).replace(chr(39), '[’' + chr(39) + ']')}(?!\w)", flags)
