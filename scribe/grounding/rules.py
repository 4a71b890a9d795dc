"""The rules of the course: a sentence about them must not say the opposite of the section that shares its words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

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


@dataclass(frozen=True, slots=True)
class _Question:
    """A question that rules answer in one of two opposite ways; the first is looked for first."""

    name: str
    fields: frozenset[str]
    answers: tuple[re.Pattern[str], re.Pattern[str]]


_QUESTIONS = tuple(
    _Question(row["name"], frozenset(row["fields"]), (re.compile(row["first"]), re.compile(row["second"])))
    for row in _TABLE["questions"]
)


@dataclass(frozen=True, slots=True)
class _Clause:
    """A piece of a rule or of an answer: what it is about, and what it says of that."""

    text: str
    around: str
    things: frozenset[str]
    acts: frozenset[str]
    aids: frozenset[str]

    @property
    def allows(self) -> bool | None:
        """Whether it allows or forbids; None if it does neither, or says that a thing is open for some time only."""
        if not (said := _WORDS["forbids"].search(self.text)):
            return True if _WORDS["allows"].search(self.text) else None
        rest = self.text[: said.start()] + self.text[said.end() :]
        return (
            None
            if re.search(
                r"\bcompte (?:pour )?0|\bcounts? as 0|only for|after that|"
                r"au-dela",
                self.text,
            )
            and _WORDS["allows"].search(rest)
            else False
        )


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
    found: list[_Clause] = []
    for rule in rules:
        title = fold(rule.partition(". ")[0])
        for sentence in read_sentences(rule):
            found += _clauses(sentence, title)
    return tuple(found)


def _clauses(sentence: ParsedSentence, title: str = "") -> Iterator[_Clause]:
    around = f"{title}. {sentence.text}"
    for text in re.split(
        r"; | - |: |, (?:while|but|although|whereas|since|because|so|mais|car|tandis|alors)\b|"
        r"(?<=[a-z]) (?:while|but|tandis que|mais|since) ",
        sentence.text,
    ):
        acts = _seen(_ACTS, text) or _seen(_ACTS, sentence.text) or _seen(_ACTS, title)
        yield _Clause(text, around, _seen(_THINGS, text) or _seen(_THINGS, sentence.text), acts, _seen(_AIDS, text))


def _seen(table: dict[str, re.Pattern[str]], text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in table.items() if pattern.search(text))


def _find_side(question: _Question, text: str) -> int:
    """Which of the two answers a text gives: 1, 2, or 0 for neither or both."""
    first, second = question.answers
    found = first.search(text)
    rest = text[: found.start()] + " _ " + text[found.end() :] if found else text
    other = second.search(rest)
    return 0 if bool(found) == bool(other) else 1 if found else 2


def _check_questions(sentence: ParsedSentence, rules: Iterable[_Clause]) -> Iterator[str]:
    """Of two opposite answers to one question, the rules give one and the sentence gives the other."""
    told = dict.fromkeys(each.around for each in rules)
    fields = _seen(_FIELDS, sentence.text)
    for question in _QUESTIONS:
        side = _find_side(question, sentence.text)
        bound = fields & question.fields
        if not side or not bound:
            continue
        sides = {_find_side(question, text) for text in told if _seen(_FIELDS, text) & bound} - {0}
        if sides == {3 - side}:
            yield f"“{_cut(sentence)}” (the rules say otherwise on {question.name})"
            return


def _check_permission(sentence: ParsedSentence, rules: Iterable[_Clause]) -> Iterator[str]:
    """What may be done with a thing, or be brought: all clauses on both must not say the opposite."""
    clauses = list(_clauses(sentence))
    mixed = len({each.allows for each in clauses} - {None}) > 1
    for clause in clauses:
        if (may := clause.allows) is None:
            continue
        for aid in sorted(clause.aids) if clause.things & {"final", "midterm"} or may else ():
            sides = {rule.allows for rule in rules if aid in rule.aids} - {None}
            if sides == {not may}:
                yield f"“{_cut(sentence)}” (the rules say otherwise of {aid})"
                return
        # Whoever says what help is not allowed may mean another kind of help.
        for act in (
            sorted(clause.acts - (frozenset() if may else {"help", *(("late",) if sentence.amounts else ())}))
            if not mixed or _seen(_ACTS, clause.text)
            else ()
        ):
            for thing in sorted(clause.things) if not mixed or _seen(_THINGS, clause.text) else ():
                sides = {rule.allows for rule in rules if act in rule.acts and thing in rule.things} - {None}
                if sides == {not may}:
                    yield f"“{_cut(sentence)}” (the rules say otherwise of {act} and {thing})"
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
    limits = {_read(match[1]) for match in _WORDS["limit"].finditer(told)}
    for said in _WORDS["days_late"].finditer(sentence.text):
        if (
            limits
            and _read(said[1]) > max(limits)
            and re.search(
                r"\bstill\b|encore|accept|"
                r"only",
                sentence.text,
            )
            and not _WORDS["forbids"].search(sentence.text)
        ):
            yield f"“{said[0]}”"


def _weekday(name: str) -> str:
    return next(
        (one for one, other in zip(_WEEKDAYS[::2], _WEEKDAYS[1::2], strict=True) if name.startswith((one, other))),
        name,
    )


def _read(word: str) -> int:
    return int(read_number(word) or 0)


def _cut(sentence: ParsedSentence) -> str:
    return " ".join(sentence.raw.rstrip(".").split()[:14])
