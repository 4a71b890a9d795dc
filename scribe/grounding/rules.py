"""The rules of the course: a sentence about them must not say the opposite of the section that shares its words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from scribe.grounding.amounts import read_number
from scribe.grounding.facts import AnswerSources
from scribe.grounding.sentences import ParsedSentence, read_sentences
from scribe.grounding.words import compile_words, fold, read_table

_TABLE = read_table("rules")
_THINGS, _AIDS, _ACTS, _FIELDS = (compile_words(_TABLE[name], "a-z") for name in ("things", "aids", "acts", "fields"))
"""What a rule is about, what may be brought, what may or may not be done with a thing, and what a question is on."""
_WORDS = {name: re.compile(pattern) for name, pattern in _TABLE["says"].items()}
_NOT = r"(?:not|nothing|never|no longer|cannot|neither|nobody|no one|without|ne|n'|pas|jamais|aucun\w*|sans|ni|rien)"
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|samedis?|dimanches?"
_WEEKDAYS = ("mon", "lun", "tue", "mar", "wed", "mer", "thu", "jeu", "fri", "ven", "sat", "sam", "sun", "dim")


_CLAUSE_ENDS = re.compile(
    r"; | - |: |, (?:while|but|although|whereas|since|because|so|mais|car|tandis|alors)\b|"
    r"(?<=[a-z]) (?:while|but|tandis que|mais|since) "
)
_QUESTIONS = tuple(
    (row["name"], frozenset(row["fields"]), re.compile(row["first"]), re.compile(row["second"]))
    for row in _TABLE["questions"]
)
"""Questions that rules answer in one of two opposite ways; the first is looked for first."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A piece of a rule or of an answer: what it is about; whether it allows or forbids, None if it does neither."""

    text: str
    around: str
    things: frozenset[str]
    acts: frozenset[str]
    aids: frozenset[str]
    allows: bool | None


def check_rules(sentence: ParsedSentence, sources: AnswerSources) -> Iterator[str]:
    """A phrase for what a sentence says of a rule if the sections that were read say otherwise."""
    if _WORDS["asks"].search(sentence.text):
        return
    if not sources.rules:
        if sources.silent and (said := _WORDS["silent"].search(sentence.text)) and not re.search(_NOT, said[0]):
            yield f"“{said[0]}” (the rules say nothing on this)"
        return
    rules = _read_rules(tuple(sources.rules))
    yield from _check_questions(sentence, rules)
    yield from _check_permission(sentence, rules)
    yield from _check_times(sentence, fold("\n".join([*sources.rules, *sources.texts])))


@lru_cache(maxsize=64)
def _read_rules(rules: tuple[str, ...]) -> tuple[_Clause, ...]:
    """The clauses of sections; the title stands before each."""
    titled = ((fold(rule.partition(". ")[0]), sentence) for rule in rules for sentence in read_sentences(rule))
    return tuple(clause for title, sentence in titled for clause in _clauses(sentence, title))


def _clauses(sentence: ParsedSentence, title: str = "") -> Iterator[_Clause]:
    for text in _CLAUSE_ENDS.split(sentence.text):
        things, acts = (_seen(table, text) or _seen(table, sentence.text) for table in (_THINGS, _ACTS))
        forbids, allows = (bool(_WORDS[name].search(text)) for name in ("forbids", "allows"))
        may = False if forbids else True if allows else None
        around = f"{title}. {sentence.text}"
        yield _Clause(text, around, things, acts or _seen(_ACTS, title), _seen(_AIDS, text), may)


def _seen(table: dict[str, re.Pattern[str]], text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in table.items() if pattern.search(text))


def _find_side(first: re.Pattern[str], second: re.Pattern[str], text: str) -> int:
    """Which of the two answers a text gives: 1, 2, or 0 for neither or both."""
    found = first.search(text)
    rest = text[: found.start()] + " _ " + text[found.end() :] if found else text
    other = second.search(rest)
    return 0 if bool(found) == bool(other) else 1 if found else 2


def _check_questions(sentence: ParsedSentence, rules: Iterable[_Clause]) -> Iterator[str]:
    """Of two opposite answers to one question, the rules give one and the sentence gives the other."""
    told = dict.fromkeys(each.around for each in rules)
    fields = _seen(_FIELDS, sentence.text)
    for name, about, first, second in _QUESTIONS:
        side, bound = _find_side(first, second, sentence.text), fields & about
        sides = {_find_side(first, second, text) for text in told if _seen(_FIELDS, text) & bound} - {0}
        if side and sides == {3 - side}:
            yield f"“{_cut(sentence)}” (the rules say otherwise on {name})"
            return


def _check_permission(sentence: ParsedSentence, rules: Iterable[_Clause]) -> Iterator[str]:
    """What may be done with a thing, or be brought: all clauses on both must not say the opposite."""
    clauses = list(_clauses(sentence))
    mixed = len({each.allows for each in clauses} - {None}) > 1
    for clause in clauses:
        told = {aid: {rule.allows for rule in rules if aid in rule.aids} for aid in sorted(clause.aids)}
        if not mixed or (_seen(_ACTS, clause.text) and _seen(_THINGS, clause.text)):
            # Whoever says what help is not allowed may mean another kind of help.
            unsure = () if clause.allows else ("help", "late") if sentence.amounts else ("help",)
            for act, thing in product(sorted(clause.acts.difference(unsure)), sorted(clause.things)):
                sides = {rule.allows for rule in rules if act in rule.acts and thing in rule.things}
                told[f"{act} and {thing}"] = sides
        for what, sides in told.items() if clause.allows is not None else ():
            if sides - {None} == {not clause.allows}:
                yield f"“{_cut(sentence)}” (the rules say otherwise of {what})"
                return


def _check_times(sentence: ParsedSentence, told: str) -> Iterator[str]:
    """Days of the week, hours of the day and days of grace."""
    for said in _WORDS["held"].finditer(sentence.text):
        known = {_weekday(day) for day in re.findall(_DAY, told)}
        if known and not {_weekday(day) for day in said.groups() if day} <= known:
            yield f"“{said[0]}”"
    hours = {match.groups() for match in _WORDS["clock"].finditer(told)}
    for said in _WORDS["clock"].finditer(sentence.text):
        if hours and _FIELDS["office"].search(sentence.text) and said.groups() not in hours:
            yield f"“{said[0]}”"
    limits = [read_number(match[1]) or 0 for match in _WORDS["limit"].finditer(told)]
    for said in _WORDS["days_late"].finditer(sentence.text):
        beyond = limits and (read_number(said[1]) or 0) > max(limits)
        if beyond and _WORDS["taken"].search(sentence.text) and not _WORDS["forbids"].search(sentence.text):
            yield f"“{said[0]}”"


def _weekday(name: str) -> str:
    days = (one for one, other in zip(_WEEKDAYS[::2], _WEEKDAYS[1::2], strict=True) if name.startswith((one, other)))
    return next(days, name)


def _cut(sentence: ParsedSentence) -> str:
    return " ".join(sentence.raw.rstrip(".").split()[:14])
