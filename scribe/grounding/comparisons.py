"""Comparisons without figures: with the class and between weeks."""

import re
from collections.abc import Iterator

from scribe.grounding.facts import Fact, Sources
from scribe.grounding.sentences import CLASS, YOU, Part, Sentence
from scribe.grounding.subjects import Subject, choose
from scribe.grounding.words import weigh

_UP = (
    r"more|longer|higher|above|larger|greater|over|most often|busier|exceed\w*|plus (?:longue?s?|longtemps|souvent|"
    r"de|eleve\w*|grande?s?|irregul\w+|tard|nombreu\w*)|davantage|au-dessus|superieure?s?"
)
_DOWN = (
    r"less|fewer|lower|below|shorter|smaller|under|moins|plus (?:courte?s?|bas\w*|petite?s?|tot|rapide\w*)|"
    r"en dessous|inferieure?s?"
)
_SOONER, _LATER = r"sooner|earlier|quicker|faster|plus tot|plus vite", r"slower|later|plus tard|took longer"
_BETTER, _WORSE = r"better|ahead of|stronger|mieux|meilleure?s?|devant", r"worse|behind|weaker|moins bien|pires?"
_NOT = re.compile(
    r"\b(?:not|the only|no|n't|never|neither|without|if|ne|pas|sans|jamais|ni|si|would|could|should|try|aim|hardly|"
    r"than (?:in|you did)|que? "
    r"celles? de|than (?:last|the week)|almost|nearly|about|as)\b|n't|\bn'")  # fmt: skip
_ROSE = re.compile(
    r"\b(?:rose|risen|grew|grown|gone up|went up|climb\w*|increas\w*|improv\w*|augment\w*|progress\w*|monte\w*|"
    r"become (?:far )?longer)\b"
)
_FELL = re.compile(
    r"\b(?:fell|fallen|drop\w*|declin\w*|decreas\w*|gone down|went down|sank|shrank|baiss\w*|diminu\w*|recul\w*|"
    r"chut\w*)\b"
)


def check_comparisons(sentence: Sentence, sources: Sources) -> Iterator[str]:
    """A phrase for each comparison of a sentence that the sources' figures contradict."""
    for part in sentence.parts:
        yield from _check_class(sentence, part, sources)
    yield from _check_trend(sentence, sources)


def _check_class(sentence: Sentence, part: Part, sources: Sources) -> Iterator[str]:
    """More or less than the class, of one behaviour in known weeks."""
    text = sentence.undated[part.start : part.end]
    weeks, found = sentence.weeks_at(part), _subjects(sentence, part, sources)
    if not CLASS.search(text) or not weeks or not found or _NOT.search(text) or not YOU.search(sentence.text):
        return
    if any(part.start <= each.start < part.end for each in sentence.amounts):
        return
    signs = [_sign(text, subject, sources) for subject in found]
    pairs = [
        (sign, own, usual)
        for sign, subject in zip(signs, found, strict=True)
        for week in weeks
        for own, usual in _both(sources, subject, week)
    ]
    if pairs and all(sign and sign * (own - usual) < 0 for sign, own, usual in pairs):
        yield _tell(sentence, part, text)


def _sign(text: str, subject: Subject, sources: Sources) -> int:
    """1 for more, -1 for less, 0 for undecided."""
    late = "delay" in subject.concepts
    better = -1 if sources.subjects.wants_less(subject) else 1
    ways = (
        (_SOONER, -1 if late else 0), (_LATER, 1 if late else 0), (_BETTER, better), (_WORSE, -better), (_DOWN, -1),
        (_UP, 1),
    )  # fmt: skip
    found = [sign for pattern, sign in ways if re.search(rf"\b(?:{pattern})\b", text)]
    return found[0] if len(set(found)) == 1 or (late and found) else 0


def _check_trend(sentence: Sentence, sources: Sources) -> Iterator[str]:
    """Rising or falling from the first named week to the last."""
    rose, fell = _ROSE.search(sentence.text), _FELL.search(sentence.text)
    weeks = sorted(sentence.weeks)
    if sentence.amounts or bool(rose) == bool(fell) or len(weeks) < 2 or _NOT.search(sentence.undated):
        return
    for subject in (found := _subjects(sentence, sentence.parts[0], sources)):
        own = {f.week: f.value for f in _facts(sources, subject) if f.whose == "yours"}
        if len(found) > 1 or weeks[0] not in own or weeks[-1] not in own:
            return
        change = own[weeks[-1]] - own[weeks[0]]
        if change * (1 if rose else -1) < 0:
            yield f"that {subject.name} {'rose' if rose else 'fell'} from week {weeks[0]} to {weeks[-1]}"


def _subjects(sentence: Sentence, part: Part, sources: Sources) -> tuple[Subject, ...]:
    able = {fact.subject for fact in sources.of("behaviour")}
    found = choose(able, sentence.local(part), sentence.concepts)
    return tuple(each for each in found if weigh(each.concepts & sentence.concepts) >= 1.2)


def _both(sources: Sources, subject: Subject, week: int) -> list[tuple[float, float]]:
    """The student's and the class's value of a week, if both are known."""
    facts = [fact for fact in _facts(sources, subject) if fact.week == week]
    own = [fact.value for fact in facts if fact.whose == "yours"]
    usual = [fact.value for fact in facts if fact.whose == "class"]
    return [(own[0], usual[0])] if own and usual else []


def _facts(sources: Sources, subject: Subject) -> list[Fact]:
    return [fact for fact in sources.facts if fact.subject == subject]


def _tell(sentence: Sentence, part: Part, text: str) -> str:
    words = sentence.raw[part.start : part.end].strip(" ,;:()")
    return f"“{words}”" if len(words.split()) <= 14 else f"“{' '.join(words.split()[-14:])}”"
