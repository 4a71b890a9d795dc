"""What an answer mentions that nothing said before does: events, and names of behaviours."""

import re
from collections.abc import Iterator, Sequence

from scribe.grounding.sentences import ParsedSentence
from scribe.grounding.words import compile_phrases, fold

_PEOPLE = (
    r"(?:assistants?|teachers?|professors?|tutors?|course team|jury|partner|team|group|assistante?s?|enseignante?s?|"
    r"professeure?s?|equipe(?: du cours)?|jury|groupe|binome)"
)

_WORDS = compile_phrases("events")


def check_events(sentence: ParsedSentence, said_before: str) -> Iterator[str]:
    """A phrase for an event of which no word was said before. said_before: all sources and questions, folded."""
    for event in _WORDS["event"].finditer(sentence.text):
        words = event[0].split()
        verb = words[-1] if words[:2] == ["you", "were"] else max(words, key=len)
        supposed = _WORDS["unsure"].search(sentence.text[max(0, event.start() - 25) : event.start()])
        known = re.search(rf"\b{re.escape(verb[:5])}", said_before)
        if not known and not (supposed and "flu" not in event[0]) and "?" not in sentence.text:
            yield f"“{sentence.raw[event.start() : event.end()]}”"
            return


def find_unknown_names(answer: str, known: str, groups: Sequence[Sequence[str]]) -> list[str]:
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
