"""How many steps a regular expression takes on a text: a plain backtracking matcher that counts what it tries.

Steps, unlike seconds, are the same on every machine. The matcher tries alternatives in the order in which Python's own
does, without its shortcuts, so it never counts fewer than that needs by more than a constant factor.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Go = Callable[[int], bool]
"""What follows: from the place reached to whether the rest matches."""
DEEP = 60_000
"""Frames: each repetition of a group is a few."""

_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    op.CATEGORY_DIGIT: str.isdecimal,
    op.CATEGORY_NOT_DIGIT: lambda each: not each.isdecimal(),
    op.CATEGORY_SPACE: str.isspace,
    op.CATEGORY_NOT_SPACE: lambda each: not each.isspace(),
    op.CATEGORY_WORD: lambda each: each.isalnum() or each == "_",
    op.CATEGORY_NOT_WORD: lambda each: not (each.isalnum() or each == "_"),
}


class TooManySteps(Exception):
    """The budget is used up: whatever grows so is no matter of a factor."""


class StepCounter:
    """Counts the steps of one pattern on one text. budget: steps after which TooManySteps is raised."""

    def __init__(self, pattern: "re.Pattern[str]", text: str, budget: int = 3_000_000) -> None:
        self._nodes = list(parser.parse(pattern.pattern, pattern.flags))
        self._flags = pattern.flags
        self._text = text
        self._budget = budget
        self._groups: dict[int, tuple[int, int]] = {}
        self.steps = 0

    def count_search(self) -> int:
        """The steps of finding every match from left to right, as `finditer`, `sub` and `split` do."""
        start = 0
        while start <= len(self._text):
            end = self._end_from(start)
            start = start + 1 if end is None else max(end, start + 1)
        return self.steps

    def count_match(self, whole: bool = False) -> int:
        """The steps of `match`, or of `fullmatch`."""
        self._end_from(0, whole)
        return self.steps

    def _end_from(self, start: int, whole: bool = False) -> int | None:
        reached: list[int] = []

        def accept(at: int) -> bool:
            reached.append(at)
            return not whole or at == len(self._text)

        self._groups = {}
        deep, _ = sys.getrecursionlimit(), sys.setrecursionlimit(DEEP)
        try:
            found = self._follow(self._nodes, 0, start, accept)
        finally:
            sys.setrecursionlimit(deep)
        return reached[-1] if found else None

    def _follow(self, nodes: Sequence[Any], number: int, at: int, go: Go) -> bool:
        if number == len(nodes):
            return go(at)
        return self._try(nodes[number], at, lambda reached: self._follow(nodes, number + 1, reached, go))

    def _try(self, node: Any, at: int, go: Go) -> bool:
        self.steps += 1
        if self.steps > self._budget:
            raise TooManySteps
        kind, told = node
        if kind in _ONE:
            return at < len(self._text) and self._fits(node, self._text[at]) and go(at + 1)
        if kind is op.BRANCH:
            return any(self._follow(each, 0, at, go) for each in told[1])
        if kind is op.SUBPATTERN:
            return self._enter(told, at, go)
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            return self._repeat(kind, told, at, go)
        if kind is op.ATOMIC_GROUP:
            end = self._first_end(told, at)
            return end is not None and go(end)
        if kind is op.AT:
            return self._stands(told, at) and go(at)
        if kind in (op.ASSERT, op.ASSERT_NOT):
            return self._looks(told, at) is (kind is op.ASSERT) and go(at)
        if kind is op.GROUPREF:
            start, end = self._groups.get(told, (0, 0))
            said = self._text[start:end]
            return self._text.startswith(said, at) and go(at + len(said))
        if kind is op.GROUPREF_EXISTS:
            group, then, otherwise = told
            return self._follow((then if group in self._groups else otherwise) or [], 0, at, go)
        raise NotImplementedError(str(kind))

    def _enter(self, told: Any, at: int, go: Go) -> bool:
        group, on, off, nodes = told
        before, self._flags = self._flags, (self._flags | on) & ~off

        def leave(end: int) -> bool:
            inside, self._flags = self._flags, before
            if group is not None:
                self._groups[group] = (at, end)
            if go(end):
                return True
            self._flags = inside
            return False

        found = self._follow(nodes, 0, at, leave)
        self._flags = before
        return found

    def _repeat(self, kind: Any, told: Any, at: int, go: Go) -> bool:
        least, most, nodes = told
        if len(nodes) == 1 and nodes[0][0] in _ONE and kind is not op.MIN_REPEAT:
            return self._repeat_one(kind, told, at, go)
        if kind is op.POSSESSIVE_REPEAT:
            times = 0
            while times < most and (end := self._first_end(nodes, at)) is not None and (end > at or times < least):
                at, times = end, times + 1
            return times >= least and go(at)

        def again(times: int, place: int) -> bool:
            def more() -> bool:
                return times < most and self._follow(
                    nodes, 0, place, lambda end: (end > place or times < least) and again(times + 1, end)
                )

            if times < least:
                return more()
            return more() or go(place) if kind is op.MAX_REPEAT else go(place) or more()

        return again(0, at)

    def _repeat_one(self, kind: Any, told: Any, at: int, go: Go) -> bool:
        least, most, nodes = told
        end = at
        while end < len(self._text) and end - at < most and self._fits(nodes[0], self._text[end]):
            end += 1
            self.steps += 1
        if kind is op.POSSESSIVE_REPEAT:
            return end - at >= least and go(end)
        for place in range(end, at + least - 1, -1):
            self.steps += 1
            if go(place):
                return True
        return False

    def _first_end(self, nodes: Sequence[Any], at: int) -> int | None:
        found: list[int] = []
        return found[0] if self._follow(nodes, 0, at, lambda end: not found.append(end)) else None

    def _looks(self, told: Any, at: int) -> bool:
        direction, nodes = told
        if direction > 0:
            return self._follow(nodes, 0, at, lambda end: True)
        start = at - nodes.getwidth()[0]
        return start >= 0 and self._follow(nodes, 0, start, lambda end: end == at)

    def _stands(self, told: Any, at: int) -> bool:
        text, many = self._text, self._flags & re.MULTILINE
        if told in (op.AT_BEGINNING, op.AT_BEGINNING_STRING):
            return at == 0 or bool(told is op.AT_BEGINNING and many and text[at - 1] == "\n")
        if told is op.AT_END_STRING:
            return at == len(text)
        if told is op.AT_END:
            return text[at:] in ("", "\n") or bool(many and text[at] == "\n")
        word = _CATEGORIES[op.CATEGORY_WORD]
        edge = (at > 0 and word(text[at - 1])) != (at < len(text) and word(text[at]))
        return edge is (told is op.AT_BOUNDARY)

    def _fits(self, node: Any, letter: str) -> bool:
        kind, told = node
        if kind is op.ANY:
            return letter != "\n" or bool(self._flags & re.DOTALL)
        letters = {letter, letter.lower(), letter.upper()} if self._flags & re.IGNORECASE else {letter}
        if kind is op.LITERAL:
            return chr(told) in letters
        if kind is op.NOT_LITERAL:
            return chr(told) not in letters
        negated = told[0][0] is op.NEGATE
        return any(_is_in(each, other) for each in told[negated:] for other in letters) is not negated


def _is_in(part: Any, letter: str) -> bool:
    kind, told = part
    if kind is op.LITERAL:
        return ord(letter[:1]) == told
    if kind is op.RANGE:
        return bool(told[0] <= ord(letter[:1]) <= told[1])
    return _CATEGORIES[told](letter[:1])


_ONE = (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)


def list_pumps(pattern: "re.Pattern[str]", most: int = 14) -> Iterator[str]:
    """Short texts that, written over and over, may make this pattern try much: its pieces, and pairs of them."""
    pieces = list(dict.fromkeys(each for each in _list_pieces(parser.parse(pattern.pattern, pattern.flags)) if each))
    chosen = sorted(pieces, key=len)[: most // 2] + sorted(pieces, key=len, reverse=True)[: most - most // 2]
    chosen = list(dict.fromkeys(chosen))
    yield from chosen
    yield from (one + other for one in chosen for other in chosen if one != other)


def _list_pieces(nodes: Sequence[Any]) -> Iterator[str]:
    """Texts that a pattern's parts match: what stands before each repetition, and one letter of each kind."""
    begun = ""
    for node in nodes:
        kind, told = node
        inner = list(_list_inside(kind, told))
        for part in inner:
            yield from _list_pieces(part)
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield begun
        sample = _sample(node)
        if kind in _ONE:
            yield from _list_letters(node)
        begun += sample
    yield begun


def _list_inside(kind: Any, told: Any) -> Sequence[Any]:
    if kind is op.BRANCH:
        return list(told[1])
    if kind is op.SUBPATTERN:
        return [told[3]]
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return [told[2]]
    return [told] if kind is op.ATOMIC_GROUP else []


_TRIED = "a0 \n.Z_-é,;:()[]{}<>*\"'|/\\@#%=!?"


def _list_letters(node: Any) -> Iterator[str]:
    """Some letters that this part matches: the first, and a line break if it is one."""
    yield _sample(node)
    if StepCounter(re.compile(""), "")._fits(node, "\n"):
        yield "\n"


def _sample(node: Any) -> str:
    """A short text that this part matches, on its own."""
    kind, told = node
    if kind is op.LITERAL:
        return chr(told)
    if kind in _ONE:
        counter = StepCounter(re.compile(""), "")
        listed = [chr(part[1] if part[0] is op.LITERAL else part[1][0]) for part in _plain_parts(kind, told)]
        return next((each for each in (*_TRIED, *listed) if counter._fits(node, each)), "")
    if kind is op.BRANCH:
        return "".join(map(_sample, told[1][0]))
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        return "".join(map(_sample, told[2])) * max(1, min(told[0], 3))
    inside = _list_inside(kind, told)
    return "".join(map(_sample, inside[0])) if inside else ""


def _plain_parts(kind: Any, told: Any) -> list[Any]:
    return [part for part in told if part[0] in (op.LITERAL, op.RANGE)] if kind is op.IN else []
