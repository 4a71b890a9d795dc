"""Which words stand side by side: a sentence that is quoted keeps its words' neighbours, a garbled one does not.

Pieces of two sources put together ("the exam happens when a signal …") hold no word from nowhere, but a pair of
neighbours that no source holds. Few such pairs are right; `glue` learns them from lessons.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from scribe.errors import ModelFileError
from scribe.trajectory import Trajectory

Pair = tuple[str, str]

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")
ELIDED = re.compile(r"^(?:[cdjlmnst]|(?:jus|lors|puis|quoi)?qu)['’]", re.IGNORECASE)
"""A French article or pronoun that melts into the word behind it."""
"""What melts into a French word, as the article of "l'effort"."""
_END = re.compile(r"(?<=[.!?…:])[\"'“”‘’«»*_)\]\s]*\s|\n")
"""Of a sentence, or of what introduces one, as in "First: …"."""
_LOOSE = re.compile(r'\\n|(?<!\\)"\s*[\]}]*\s*[,:]\s*[\[{]*')
"""What parts the strings of JSON that cannot be parsed."""
ANY_NUMBER = "#"
"""In a pair of the model's own, as a report on other weeks has the same sentences."""
LESSONS, STUDENTS = 3, 2
"""In so many answers, to so many students, a pair is no slip."""
AROUND = 1
"""Words that a complaint shows on either side of a pair."""


def pairs(text: str) -> frozenset[Pair]:
    """The words that stand side by side in the sentences of a text, without capitals and melted articles."""
    return frozenset(pair for sentence in _sentences(text) for pair in _neighbours(sentence))


def sources(trajectory: Trajectory) -> frozenset[Pair]:
    """The pairs of all that was said to the model; of JSON, those within a string."""
    task = trajectory.task
    # Not the question: "say that I have passed with honours" would be its own source.
    said = [task.report, task.about]
    for act in trajectory.acts:
        said += (text for observation in act.observations for text in _strings(observation.content))
    return frozenset().union(*map(pairs, said))


def torn(trajectory: Trajectory, answer: str, own: frozenset[Pair]) -> list[str]:
    """The places of an answer where two words meet that stand together in no source and are no pair of `own`."""
    heard = sources(trajectory)
    return [place for sentence in _sentences(answer) for place in _torn(sentence, heard, own)]


def added(trajectory: Trajectory) -> frozenset[Pair]:
    """The pairs of a trajectory's answer that no source holds, with `ANY_NUMBER` for numbers."""
    return frozenset(map(_slotted, pairs(trajectory.answer or "") - sources(trajectory)))


def glue(lessons: Iterable[Trajectory]) -> frozenset[Pair]:
    """The pairs that answers of lessons add time and again: what a model may put around its quotations."""
    times: Counter[Pair] = Counter()
    students: dict[Pair, set[Pair]] = defaultdict(set)
    for lesson in lessons:
        for pair in added(lesson):
            times[pair] += 1
            students[pair].add((lesson.task.course, lesson.task.student))
    return frozenset(pair for pair in times if times[pair] >= LESSONS and len(students[pair]) >= STUDENTS)


def save(own: Iterable[Pair], path: Path) -> None:
    """Write pairs sorted, one a line."""
    path.write_text("".join(f"{first} {second}\n" for first, second in sorted(own)), encoding="utf-8")


def load(path: Path) -> frozenset[Pair] | None:
    """The pairs in a file; None if there is none, as beside older models. Raises ModelFileError if it is broken."""
    if not path.exists():
        return None
    try:
        lines = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
        return frozenset((first, second) for first, second in lines)
    except (OSError, ValueError) as error:
        raise ModelFileError(f"{path}: the model's own pairs cannot be read ({error}); install Scribe again") from error


def _sentences(text: str) -> list[str]:
    return _END.split(text)


def _neighbours(sentence: str) -> Iterator[Pair]:
    return pairwise(_plain(found) for found in _WORD.findall(sentence))


def _plain(word: str) -> str:
    return ELIDED.sub("", word).replace("’", "'").casefold()


def _slotted(pair: Pair) -> Pair:
    first, second = (ANY_NUMBER if word[0].isdecimal() else word for word in pair)
    return first, second


def _torn(sentence: str, heard: frozenset[Pair], own: frozenset[Pair]) -> Iterator[str]:
    found = list(_WORD.finditer(sentence))
    new = (at for at, pair in enumerate(_neighbours(sentence)) if pair not in heard and _slotted(pair) not in own)
    for first, last in _runs(new):
        begin, end = max(0, first - AROUND), min(last + 1 + AROUND, len(found) - 1)
        yield " ".join(sentence[found[begin].start() : found[end].end()].split())


def _runs(places: Iterable[int]) -> list[tuple[int, int]]:
    """First and last place of those that follow each other."""
    runs: list[tuple[int, int]] = []
    for at in places:
        begins = runs.pop()[0] if runs and runs[-1][1] == at - 1 else at
        runs.append((begins, at))
    return runs


def _strings(content: str) -> list[str]:
    try:
        return list(_leaves(json.loads(content)))
    except (ValueError, RecursionError):
        return [part.replace('\\"', '"') for part in _LOOSE.split(content)]


def _leaves(value: object, key: str = "") -> Iterator[str]:
    """Strings as they are, a number with its key: what is quoted of `"week": 6` is "week 6"."""
    match value:
        case dict():
            for name, inner in value.items():
                yield from _leaves(inner, name)
        case list():
            for inner in value:
                yield from _leaves(inner, key)
        case str():
            yield value
        case int() | float():
            yield f"{key} {value}"
