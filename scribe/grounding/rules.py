"""The rules of the course: a sentence about them must not say the opposite of the section that shares its words."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from scribe.grounding import rule_words as words
from scribe.grounding.amounts import read_number
from scribe.grounding.facts import Sources
from scribe.grounding.sentences import Sentence, read_sentences
from scribe.grounding.words import fold


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
        if not (said := words.FORBIDS.search(self.text)):
            return True if words.ALLOWS.search(self.text) else None
        rest = self.text[: said.start()] + self.text[said.end() :]
        return (
            None
            if re.search(
                r"\bcompte (?:pour )?0|\bcounts? as 0|only for|after that|"
                r"au-dela",
                self.text,
            )
            and words.ALLOWS.search(rest)
            else False
        )


def check_rules(sentence: Sentence, sources: Sources) -> Iterator[str]:
    """A phrase for what a sentence says of a rule if the sections that were read say otherwise."""
    if words.ASKS.search(sentence.text):
        return
    if not sources.rules:
        if sources.silent and (said := words.SILENT.search(sentence.text)) and not re.search(words.NOT, said[0]):
            yield f"“{said[0]}” (the rules say nothing on this)"
        return
    rules = _read_rules(tuple(sources.rules))
    yield from _check_axes(sentence, rules)
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


def _clauses(sentence: Sentence, title: str = "") -> Iterator[_Clause]:
    around = f"{title}. {sentence.text}"
    for text in re.split(
        r"; | - |: |, (?:while|but|although|whereas|since|because|so|mais|car|tandis|alors)\b|"
        r"(?<=[a-z]) (?:while|but|tandis que|mais|since) ",
        sentence.text,
    ):
        acts = _seen(words.ACTS, text) or _seen(words.ACTS, sentence.text) or _seen(words.ACTS, title)
        yield _Clause(
            text, around, _seen(words.THINGS, text) or _seen(words.THINGS, sentence.text), acts, _seen(words.AIDS, text)
        )


def _seen(table: dict[str, re.Pattern[str]], text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in table.items() if pattern.search(text))


def _side(name: tuple[str, str], text: str) -> int:
    """Which of the two answers a text gives: 1, 2, or 0 for neither or both."""
    first, second = words.AXES[name]
    found = re.search(first, text)
    rest = text[: found.start()] + " _ " + text[found.end() :] if found else text
    other = re.search(second, rest)
    return 0 if bool(found) == bool(other) else 1 if found else 2


def _check_axes(sentence: Sentence, rules: Iterable[_Clause]) -> Iterator[str]:
    """Of two opposite answers to one question, the rules give one and the sentence gives the other."""
    told = dict.fromkeys(each.around for each in rules)
    fields = _seen(words.FIELDS, sentence.text)
    for name in words.AXES:
        side = _side(name, sentence.text)
        bound = fields & frozenset(name[1].split())
        sides = (
            {_side(name, text) for text in told if _seen(words.FIELDS, text) & bound} - {0} if side and bound else set()
        )
        if sides == {3 - side}:
            yield f"“{_cut(sentence)}” (the rules say otherwise on {name[0]})"
            return


def _check_permission(sentence: Sentence, rules: Iterable[_Clause]) -> Iterator[str]:
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
            if not mixed or _seen(words.ACTS, clause.text)
            else ()
        ):
            for thing in sorted(clause.things) if not mixed or _seen(words.THINGS, clause.text) else ():
                sides = {rule.allows for rule in rules if act in rule.acts and thing in rule.things} - {None}
                if sides == {not may}:
                    yield f"“{_cut(sentence)}” (the rules say otherwise of {act} and {thing})"
                    return


def _check_times(sentence: Sentence, told: str) -> Iterator[str]:
    """Days of the week, hours of the day and days of grace."""
    for said in words.HELD.finditer(sentence.text):
        known = {_weekday(day) for day in re.findall(words.DAY, told)}
        if known and not {_weekday(day) for day in said.groups() if day} <= known:
            yield f"“{said[0]}”"
    hours = {match.groups() for match in words.CLOCK.finditer(told)}
    for said in words.CLOCK.finditer(sentence.text):
        if hours and words.FIELDS["office"].search(sentence.text) and said.groups() not in hours:
            yield f"“{said[0]}”"
    limits = {_read(match[1]) for match in words.LIMIT.finditer(told)}
    for said in words.DAYS_LATE.finditer(sentence.text):
        if (
            limits
            and _read(said[1]) > max(limits)
            and re.search(
                r"\bstill\b|encore|accept|"
                r"only",
                sentence.text,
            )
            and not words.FORBIDS.search(sentence.text)
        ):
            yield f"“{said[0]}”"


def _weekday(name: str) -> str:
    return next(
        (one for one, other in zip(words.WEEK[::2], words.WEEK[1::2], strict=True) if name.startswith((one, other))),
        name,
    )


def _read(word: str) -> int:
    return int(read_number(word) or 0)


def _cut(sentence: Sentence) -> str:
    return " ".join(sentence.raw.rstrip(".").split()[:14])
