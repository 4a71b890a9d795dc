"""Which lines of report and tool results an answer rests on: what a model is taught to quote before it answers.

They are found by the numbers and words that a line shares with the sentences of the answer. Nothing is written: a
quote is a line or a sentence of a source as it stands.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scribe.quotes import QuotableLine, quotable, with_quotes
from scribe.trajectory import Answer, Trajectory

MOST = 6
"""Quotes of an answer, first lines of results not counted."""
SHORT = 110
"""Characters that the first line of a result has at most to be quoted with any other."""
ENOUGH = 1.9
"""The least score of a quote."""
RARE, OFTEN, DATED, WORD, WORDS = 2.0, 1.0, 0.5, 0.4, 6
"""What a shared number is worth that one line has, or more, or that names a week; a word; how many words count."""
OF_REPORT = 0.5
"""A line of the report must be so much better than one of a result."""

_SENTENCE = re.compile(r"(?<=[.!?…])\s+(?=\S)")
_NUMBER = re.compile(r"(?:(week|semaine)s? )?(\d+(?:[.,]\d+)?)")
_WORD, _SHORT = re.compile(r"[a-z]{4,}"), re.compile(r"\b[A-Z]{2,3}\b")


def find_quotes(trajectory: Trajectory) -> tuple[str, ...]:
    """The lines that the answer of a trajectory rests on, in the order of their sources; perhaps none."""
    answer = next((step.text for step in trajectory.steps if isinstance(step, Answer)), "")
    lines = quotable(trajectory)
    often = Counter(number for line in lines for number in _find_numbers(line.text))
    chosen = {line: ENOUGH for line in lines if (name := _find_topic(line)) and name in answer.lower()}
    for sentence in _SENTENCE.split(answer):
        scores = {line: _score(line, sentence, often) for line in lines}
        said = [number for number, dated in _find_numbers(sentence).items() if not dated]
        holding = [[line for line in lines if number in _find_numbers(line.text)] for number in said]
        for several in (lines, *holding):
            best = max(several, key=lambda line: scores[line], default=None)
            if best is not None and scores[best] >= ENOUGH:
                chosen[best] = max(chosen.get(best, 0.0), scores[best])
    kept = sorted(sorted(chosen, key=lambda line: -chosen[line])[:MOST], key=lambda line: (line.source, line.place))
    return tuple(dict.fromkeys(text for line in kept for text in (*_find_head(line, lines), line.text)))


def add_quotes(trajectory: Trajectory) -> Trajectory:
    """The trajectory with the lines that its answer rests on before its last thought.

    They stand instead of a thought with figures, which says in note form what they say in full. Where no tool was
    called nothing is quoted: a model that may quote before its first call reads the report instead of calling.
    """
    if not trajectory.acts:
        return trajectory
    quotes = find_quotes(trajectory)
    last = trajectory.steps[-1] if trajectory.steps else None
    if not quotes or not isinstance(last, Answer):
        return trajectory
    thought = "" if _NUMBER.search(last.thought) else last.thought
    quoted = replace(last, thought=with_quotes(quotes, thought))
    return replace(trajectory, steps=(*trajectory.steps[:-1], quoted))


def _find_head(line: QuotableLine, lines: Sequence[QuotableLine]) -> list[str]:
    """The first line of a result, where that says of which week or thing all the others are."""
    same = [each.text for each in lines if each.source == line.source]
    keys = [text.split(":")[0] for text in same]
    return same[:1] if same and keys.count(keys[0]) == 1 and len(same[0]) < SHORT else []


def _score(line: QuotableLine, sentence: str, often: Mapping[str, int]) -> float:
    """How well a line speaks for a sentence of an answer. often: in how many lines a number stands."""
    ours, theirs = _find_numbers(line.text), _find_numbers(sentence)
    shared = ours.keys() & theirs.keys()
    worth = sum(
        DATED if ours[each] or theirs[each] else RARE if often[each] == 1 else OFTEN + 0.4 * (often[each] == 2)
        for each in shared
    )
    words = _find_words(line.text) & _find_words(sentence)
    score = worth + WORD * min(len(words), WORDS)
    return score - OF_REPORT if not line.source else score


def _find_numbers(text: str) -> dict[str, bool]:
    """The numbers of a text, and whether each only names a week."""
    found: dict[str, bool] = {}
    for week, number in _NUMBER.findall(text.lower()):
        key = number.replace(",", ".")
        found[key] = bool(week) and found.get(key, True)
    return found


def _find_topic(line: QuotableLine) -> str:
    """What a line of a result is about where it says several things of it: "needs: FFT; week 4" is about the FFT."""
    thing = re.match(r"[^:;]+: ([^:;]{3,})[;:] ", line.text) if line.source else None
    return thing[1].lower() if thing else ""


def _find_words(text: str) -> set[str]:
    """The longer words of a text without accents, and its abbreviations."""
    bare = "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))
    return {*_WORD.findall(bare.lower()), *_SHORT.findall(bare)}
