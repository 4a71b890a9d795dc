"""A text as sentences and their parts, with the weeks that each names and whose value it speaks of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from scribe.grounding.amounts import Amount, read_amounts
from scribe.grounding.weeks import find_weeks
from scribe.grounding.words import compile_phrases, fold, read_concepts

Whose = Literal["yours", "class", ""]

_END = re.compile(r"(?<=[a-z0-9%)\"»'][.!?…])\s+(?=\S)|\s*[;\n]\s*")
_ABBREVIATION = re.compile(r"(?:e\.g|i\.e|p\. ?ex|vs|no|approx|env)\.$")
_WORDS = compile_phrases("sentences")
CLASS = _WORDS["class"]
YOU = re.compile(r"\b(?:you|your|yours|yourself|vous|votre|vos|votres?|i see)\b")
_COMPARED = re.compile(r"\b(?:fewer|less|more|moins|plus)(?: \w+)? (?:than|que) (?:is |the |la |d')?$")
_TURNS = re.compile(r"^(?:against|compared|versus|vs|contre|next to|beside)\b")


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A piece of a sentence, from start to end in it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class ParsedSentence:
    """One sentence: as it stands and folded, both of the same length."""

    raw: str

    @cached_property
    def text(self) -> str:
        return fold(self.raw)

    @cached_property
    def dates(self) -> tuple[tuple[int, int, frozenset[int]], ...]:
        """Where weeks are named, and which."""
        return find_weeks(self.raw)

    @cached_property
    def weeks(self) -> frozenset[int]:
        return frozenset(week for _, _, found in self.dates for week in found)

    @cached_property
    def undated(self) -> str:
        """The folded text with the names of weeks blanked out."""
        text = self.text
        for start, end, _ in self.dates:
            text = text[:start] + "_" * (end - start) + text[end:]
        return text

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        return read_amounts(self.undated)

    @cached_property
    def concepts(self) -> frozenset[str]:
        return frozenset(read_concepts(self.undated).places)

    @cached_property
    def parts(self) -> tuple[SentencePart, ...]:
        """The sentence cut where it turns to another value or person."""
        cuts = [0, *(match.start() for match in _WORDS["cut"].finditer(self.undated)), len(self.text)]
        return tuple(SentencePart(a, b, self.undated[a:b].lstrip(" ,(")) for a, b in pairwise(cuts) if b > a)

    def part_at(self, place: int) -> SentencePart:
        """The part in which this place lies."""
        return next((part for part in self.parts if part.start <= place < part.end), self.parts[-1])

    def local(self, part: SentencePart) -> frozenset[str]:
        """The concepts that a part names."""
        return read_concepts(self.undated).within(part.start, part.end)

    def weeks_at(self, part: SentencePart) -> frozenset[int]:
        """The weeks of a part: its own, or those last named before it, or those of the sentence."""
        own = [found for start, _, found in self.dates if part.start <= start < part.end]
        if own:
            return frozenset().union(*own)
        before = [found for start, _, found in self.dates if start < part.start]
        return before[-1] if before else self.weeks

    def whose(self, amount: Amount) -> Whose:
        """Whose value an amount is, as far as the words say it."""
        part = self.part_at(amount.start)
        theirs, yours = CLASS.search(part.text), YOU.search(part.text)
        inside = [each for each in self.amounts if part.start <= each.start < part.end]
        if theirs and len(inside) > 1:
            nearest = min(inside, key=lambda each: self._distance(each, part))
            return "class" if nearest is amount else "yours" if yours else ""
        if theirs and _COMPARED.search(part.text[: theirs.start()]):
            return "yours" if yours else ""
        if theirs and yours:
            beside = (
                self.undated[max(part.start, amount.start - 30) : amount.start],
                self.undated[amount.end : amount.end + 12],
            )
            return "class" if _WORDS["value_of_class"].search(beside[0]) or CLASS.match(beside[1].strip(" _")) else ""
        if theirs or yours or _TURNS.match(part.text):
            return "yours" if yours else "class"
        return "yours" if YOU.search(self.text) and not CLASS.search(self.text) else ""

    def _distance(self, amount: Amount, part: SentencePart) -> int:
        """Letters between an amount and the nearest word for the class in its part."""
        cues = CLASS.finditer(self.undated, part.start, part.end)
        return min(cue.start() - amount.end if cue.start() >= amount.end else amount.start - cue.end() for cue in cues)


def read_sentences(text: str) -> Iterator[ParsedSentence]:
    """The sentences of a text, without the marks of lists."""
    folded, start = fold(text), 0
    for match in _END.finditer(folded):
        if not _ABBREVIATION.search(folded, max(0, match.start() - 10), match.start()):
            if text[start : match.start()].strip():
                yield ParsedSentence(text[start : match.start()].strip())
            start = match.end()
    if text[start:].strip():
        yield ParsedSentence(text[start:].strip())
