"""Refuses claims that nothing in the data could bear out, and sentences about the student that are of no known kind.

`claims` holds against the data what it can read. What it cannot read is refused here rather than let through: a
sentence that says something of the student must name a behaviour and a concluded week, or be of a kind that is listed
in claims.toml. A harmless sentence may be refused; that costs a language model another attempt.
"""

import re
from collections.abc import Iterator

from data.reports.facts import Facts
from data.reports.lexicon import compile_expression, compile_table, compile_words, list_words_after_you
from data.reports.sentences import ReportSentence

_ONLY_OF_WHAT_WAS = ("a number in words", "what holds always or never is not known")  # fine in advice
_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b(?:\s+([\w’'-]+))?", re.IGNORECASE)


def check_open(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """Complaints about what cannot be held against the data."""
    for reason, pattern in compile_table("refused").items():
        match = pattern.search(sentence.plain)
        if match and not (sentence.step and reason in _ONLY_OF_WHAT_WAS):
            yield f"{reason} ({match.group()})"
    if sentence.step or any(facts.is_over(week) for _, week in sentence.pairs):
        return
    rest = compile_words("turns").sub(lambda match: "_" * len(match.group()), sentence.plain)
    if match := compile_expression("among_others").search(rest):
        yield f"a place among others without behaviour and week ({match.group()})"
    if sentence.features:
        if not compile_words("decided").search(sentence.plain):
            yield f"{sentence.features[0][0].label}: name the week"
        return
    for match in _YOU.finditer(rest):
        word = (match[1] or "_").lower()
        if not word.startswith("_") and word not in list_words_after_you():
            yield f"nothing in the data bears this out ({match.group()}): name a behaviour and a week, or leave it out"
