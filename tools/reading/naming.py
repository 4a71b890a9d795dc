"""What a question names of its course: weeks, topics and behaviours, and if it leans on an exchange, what that named.

A small model copies a name from a question well if it has seen it often, and badly if it is misspelt, in another
language or three sentences back. So the hint behind the question (`tools.reading.hints`) says it once more, as tools
know it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from data.catalogue import load_catalogue
from data.catalogue_languages import catalogue_in
from data.course import Course
from scribe.trajectory import Exchange
from tools.reading import week_names
from tools.reading.known_questions import READ, known
from tools.search.spelling import Speller
from tools.search.vault import Vault
from tools.search.words import ENGLISH, Words, folded
from tools.wording import head, unquoted

HERE, BEFORE = "; here ", "; before "
MOST_WEEKS, MOST_NAMES = 2, 2
"""A question that names more of them asks about none in particular."""
SHORTEST = 3
"""Letters of a stem that gives a name away."""
USUAL = 3
"""Known wordings with a word from which it fits any course: a few name what only one course has."""
_PLACES = (
    re.compile(r"\b(?:first|1st|premi[eè]re?|1ere?|1ère|1er)\b", re.IGNORECASE),
    re.compile(r"\b(?:second|2nd|deuxi[eè]me|2e|2eme|2ème)\b", re.IGNORECASE),
    re.compile(r"\b(?:third|3rd|troisi[eè]me|3e|3eme|3ème)\b", re.IGNORECASE),
)
_A_WEEK = re.compile(r"\b(?:week|semaine)\b", re.IGNORECASE)
_LAST = re.compile(
    r"\b(?:latter|last (?:one|of)|(?:the|that) last(?! (?:week|time|lecture|one of))|derni[eè]re?(?! semaine))\b"
    r"(?!\s+week)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Named:
    """What a text names, each in its order there; topics and behaviours as the course's tools call them."""

    weeks: tuple[int, ...] = ()
    topics: tuple[str, ...] = ()
    behaviours: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Topics and behaviours; none of those that are named too often."""
        return tuple(name for some in (self.topics, self.behaviours) if len(some) <= MOST_NAMES for name in some)

    @property
    def told(self) -> str:
        """For a hint: "week 5, Aliasing"; of what is named too often, nothing."""
        weeks = [f"week {week}" for week in self.weeks] if len(self.weeks) <= MOST_WEEKS else []
        return ", ".join([*weeks, *self.names])


def told(here: Named, before: Named) -> str:
    """What stands behind a hint for what a question names, and takes from before; empty for nothing."""
    return "".join(f"{opening}{named.told}" for opening, named in ((HERE, here), (BEFORE, before)) if named.told)


@dataclass(frozen=True)
class Naming:
    """Finds names in questions about one course. Safe to share among threads."""

    course: Course
    _words: tuple[Words, ...] = field(init=False)

    def __post_init__(self) -> None:
        languages = dict.fromkeys((self.course.language, ENGLISH))
        object.__setattr__(self, "_words", tuple(Words(each) for each in languages))

    def __call__(self, question: str, history: Sequence[Exchange] = (), spoken: str = "") -> str:
        """What to add to a hint; `history` only if the question leans on it. Empty if nothing is named.

        spoken: the language in which to name behaviours, by default the course's.
        """
        return told(*self.parts(question, history, spoken))

    def parts(self, question: str, history: Sequence[Exchange] = (), spoken: str = "") -> tuple[Named, Named]:
        """What the question names, and what it takes from before."""
        # Words of a report around which a question is asked are not what it is about, unless there is nothing else.
        here = self.found(unquoted(question), spoken, bool(history))
        here = here if here != Named() else self.found(question, spoken, bool(history))
        return here, self._before(question, here, history, spoken) if history else Named()

    def found(self, text: str, spoken: str = "", follows: bool = False) -> Named:
        """What a text names. follows: it goes on from another, so that "the 4th" is a week too.

        spoken: the language in which to name behaviours, by default the course's.
        """
        behaviours = self._standing_in(text, self._behaviours[spoken or self.course.language])
        topics = self._standing_in(text, self._topics)
        weeks = tuple(week for week in week_names.weeks(text, self.course, follows) if week <= self.course.weeks)
        if not weeks and len(topics) == 1 and topics[0] in self.course.topics and _A_WEEK.search(text):
            weeks = (self.course.week_of(topics[0]),)  # "the cartography week"
        return Named(weeks, topics, behaviours)

    def own(self, name: str, spoken: str = "") -> str:
        """A topic or behaviour as tools call it, from any of its names or words of one; empty if it is none."""
        found = self.found(name, spoken)
        owns = (*found.topics, *found.behaviours)
        return owns[0] if len(owns) == 1 and self._within(name, owns[0]) else ""

    def _within(self, name: str, own: str) -> bool:
        """Whether no word of this name is foreign to all names of a thing."""
        some = (self._topics, *self._behaviours.values())
        known = next(k for names in some for each, k in names.known if each == own)
        return any(
            set(words.stems(words.of(name))) <= set(words.stems(words.of(each)))
            for each in known
            for words in self._words
        )

    def _before(self, question: str, here: Named, history: Sequence[Exchange], spoken: str) -> Named:
        """What the exchange before named, of the sorts of things that the question does not name itself."""
        asked = [self.found(each.question, spoken) for each in history]
        said = self.found(history[-1].answer, spoken)
        weeks, topics, behaviours = asked[-1].weeks or _only(said.weeks), asked[-1].topics, asked[-1].behaviours
        listed = said.topics if len(said.topics) > 1 else tuple(dict.fromkeys(t for one in asked for t in one.topics))
        place = place_in_list(question)
        if place is not None:
            topics = _at(listed, place) or topics
            behaviours = _at(said.behaviours, place) or behaviours
        return Named(
            () if here.weeks else weeks,
            () if here.topics else topics or _only(said.topics),
            () if here.behaviours or here.topics else behaviours or said.behaviours[:1],
        )

    def _standing_in(self, text: str, names: "_Names") -> tuple[str, ...]:
        """The names in a text, in their order; of two that overlap the longer one; else one that a word gives away."""
        found: list[tuple[int, int, str]] = []
        for words, sought in zip(self._words, names.stems, strict=True):
            said = names.cut(words, [names.corrected(word) for word in words.of(text)])
            found += (
                (start, -len(stems), own)
                for own, stems in sought
                for start in range(len(said) - len(stems) + 1)
                if tuple(said[start : start + len(stems)]) == stems
            )
        if not found:
            return tuple(dict.fromkeys(names.given_away(text)))
        return tuple(dict.fromkeys(_apart(found)))

    @cached_property
    def _topics(self) -> "_Names":
        own = dict.fromkeys((*self.course.topics, *(head(section.title) for section in self.course.textbook)))
        things = ((each, tuple(filter(None, (each, self.course.english(each))))) for each in own)
        return _Names(tuple(things), self._words, True)

    @cached_property
    def _behaviours(self) -> dict[str, "_Names"]:
        """By the language that they are told in."""
        english = {feature.name: feature for feature in load_catalogue()}
        pairs = [(each, english.get(each.name, each)) for each in catalogue_in(self.course.language)]
        named = [
            (one.label, other.label, _telling((one.label, one.name, *one.aliases, other.label, *other.aliases)))
            for one, other in pairs
        ]
        own = _Names([(label, names) for label, _, names in named], self._words, False)
        return {ENGLISH: _Names([(each, names) for _, each, names in named], self._words, False)} | {
            self.course.language: own
        }


def naming(course: Course, vault: Vault) -> Naming:
    """The course's naming; the vault keeps it, so all its students share one."""
    key = (Naming, course.id, course.language, course.weeks, course.weeks_done, course.plan, course.textbook)
    return vault.once(key, lambda: Naming(course))


class _Names:
    """Things with all their names, the first of them their own; stemmed in each of the languages.

    given: whether a word that only one of them has gives it away: "runway" for "Cash flow and runway". Without that
    words are not stemmed: "videos opened early" are no "share of video openings".
    """

    def __init__(self, things: Sequence[tuple[str, Sequence[str]]], languages: Sequence[Words], given: bool) -> None:
        self._given = given
        self.known = [(own, {name.casefold() for name in names}) for own, names in things]
        self.stems = [
            [(own, tuple(self.cut(words, words.of(name)))) for own, names in things for name in names if words.of(name)]
            for words in languages
        ]
        self._spelled = {word for words in languages for _, names in things for n in names for word in words.of(n)}
        self._speller = Speller(tuple(sorted(self._spelled)))
        self._languages = languages
        self._sole = [_sole(each, words) if given else {} for each, words in zip(self.stems, languages, strict=True)]

    def cut(self, words: Words, said: list[str]) -> list[str]:
        """Words as these names are compared by."""
        return words.stems(said) if self._given else said

    def corrected(self, word: str) -> str:
        """A word of these names that this one is a slip for, or the word itself."""
        right = word in self._spelled or word in _usual_words()
        close = word if right else self._speller.corrections([word]).get(word, word)
        # "Testing" is no slip for "vesting": hardly anybody errs in the first letter.
        return close if close[:1] == word[:1] else word

    def given_away(self, text: str) -> Iterator[str]:
        """The things that a single word of the text gives away."""
        for words, sole in zip(self._languages, self._sole, strict=True):
            said = words.of(text)
            stems = words.stems([self.corrected(word) for word in said])
            yield from (sole[stem] for word, stem in zip(said, stems, strict=True) if stem in sole)


def _sole(names: Sequence[tuple[str, tuple[str, ...]]], words: Words) -> dict[str, str]:
    """The thing of each stem that stands in the names of one only, and that no question holds whatever it is about."""
    having: dict[str, set[str]] = {}
    for own, stems in names:
        for stem in stems:
            having.setdefault(stem, set()).add(own)
    usual = frozenset(words.stems(sorted(_usual(words))))
    return {
        stem: next(iter(things))
        for stem, things in having.items()
        if len(things) == 1 and len(stem) >= SHORTEST and stem not in usual
    }


@cache
def _usual_words() -> frozenset[str]:
    """The words of the known wordings, folded: they fit any course."""
    lines = (one.wording for language in READ for one in known(False, language))
    told = (folded(re.sub(r"{\w+}", " ", line)) for line in lines)
    held = Counter(word for line in told for word in set(re.findall(r"[^\W\d_]+", line)))
    return frozenset(word for word, count in held.items() if count >= USUAL)


def _usual(words: Words) -> set[str]:
    return {each for word in _usual_words() for each in words.of(word)} | set(words.fillers)


def _telling(names: Iterable[str]) -> tuple[str, ...]:
    """The names of more than one word, or written as no ordinary word is."""
    return tuple(name for name in names if not (name.isalpha() and (name.islower() or name.istitle())))


def _apart(found: Iterable[tuple[int, int, str]]) -> Iterator[str]:
    """The names by their start, without those that begin inside or end inside a longer one."""
    taken: list[tuple[int, int, str]] = []
    for start, minus, own in sorted(found, key=lambda each: each[1]):
        if all(start >= other - less or start - minus <= other for other, less, _ in taken):
            taken.append((start, minus, own))
    yield from (own for _, _, own in sorted(taken))


def _only(names: tuple) -> tuple:  # type: ignore[type-arg]
    """The one there is; nothing of several."""
    return names if len(names) == 1 else ()


def place_in_list(question: str) -> int | None:
    """Which one of a list is meant: 0 for "the first", -1 for "the last"."""
    if _LAST.search(question):
        return -1
    return next((number for number, sign in enumerate(_PLACES) if sign.search(question)), None)


def _at(names: Sequence[str], place: int) -> tuple[str, ...]:
    return (names[place],) if -len(names) <= place < len(names) else ()
