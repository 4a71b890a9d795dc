"""Comparisons without figures: with the class, between weeks, and what counted for or against and how much."""

import re
from collections.abc import Iterator, Sequence

from scribe.grounding.facts import Fact, Ranking, Sources
from scribe.grounding.sentences import CLASS, YOU, Part, Sentence
from scribe.grounding.subjects import Subject, choose, named
from scribe.grounding.words import weigh

_UP = (
    r"more|longer|higher|above|larger|greater|over|most often|busier|exceed\w*|plus (?:longue?s?|"
    r"longtemps|souvent|de|eleve\w*|grande?s?|"
    r"irregul\w+|tard|nombreu\w*)|davantage|au-dessus|superieure?s?"
)
_DOWN = (
    r"less|fewer|lower|below|shorter|smaller|under|moins|plus (?:courte?s?|bas\w*|petite?s?|tot|"
    r"rapide\w*)|en dessous|inferieure?s?"
)
_SOONER, _LATER = r"sooner|earlier|quicker|faster|plus tot|plus vite", r"slower|later|plus tard|took longer"
_BETTER, _WORSE = r"better|ahead of|stronger|mieux|meilleure?s?|devant", r"worse|behind|weaker|moins bien|pires?"
_NOT = re.compile(
    r"\b(?:not|the only|no|n't|never|neither|without|if|ne|pas|sans|jamais|ni|si|would|could|should|"
    r"try|aim|hardly|than (?:in|you did)|que? "
    r"celles? de|than (?:last|the week)|almost|nearly|about|as)\b|n't|\bn'")  # fmt: skip
_ROSE = re.compile(
    r"\b(?:rose|risen|grew|grown|gone up|went up|climb\w*|increas\w*|improv\w*|augment\w*|"
    r"progress\w*|monte\w*|become (?:far )?longer)\b"
)
_FELL = re.compile(
    r"\b(?:fell|fallen|drop\w*|declin\w*|decreas\w*|gone down|went down|sank|shrank|baiss\w*|"
    r"diminu\w*|recul\w*|chut\w*)\b"
)
_MOST = re.compile(
    r"\b(?:the most\b|most strongly|most of all|biggest|largest|strongest|nothing (?:counted|helped|"
    r"weighed|hurt|did)|above all|weighed most|"
    r"counted most|hurt you most|helped you most|harmed you most|number one|ahead of everything|more "
    r"than (?:anything|everything)|the only|"
    r"le plus\b|avant tout|rien n'a|principal\w*|plus que tout|tout le reste|loin devant)"
)
_FOR = re.compile(
    r"\b(?:helped|help|(?:counted|most|worked) for you|in your favou?r|plus of|biggest plus|strength|"
    r"spoke for|carried|worked for|did the most for|points? in your favou?r|"
    r"aide|en votre faveur|atout|servi|joue pour|positif)\b")  # fmt: skip
_AGAINST = re.compile(
    r"\b(?:hurt|against you|harm\w*|weighed (?:against|on)|held (?:you )?back|cost you|worked "
    r"against|did you (?:the most )?harm|spoke against|"
    r"desservi|contre vous|coute|nui|frein|penalise|pese (?:tres )?(?:lourd|contre))\b")  # fmt: skip
_DENIED = re.compile(
    r"(?:\bnot|n't|\bnothing|\bno|\bneither|\bnever|\bwithout|\brien n'|\bpas|\baucune?|"
    r"\bsans)\b.{0,30}(?:against you|contre vous|for you|favour|faveur)|rather than against"
)
_UNDECIDED = re.compile(
    r"\b(?:nothing at all|nothing (?:else )?(?:spoke|stood)|no other|none|aucune?|rien n'(?:a parle)|"
    r"could|would|might|pourrait|si vous|if you)\b"
)
_THAN = re.compile(
    r",? (?:ahead of|more than|even more|stronger than|more important|rather than|with your|juste? "
    r"devant|just ahead|loin devant|devant|plus que|bien plus|far more)"
)


def check_comparisons(sentence: Sentence, sources: Sources) -> Iterator[str]:
    """A phrase for each comparison of a sentence that the sources' figures contradict."""
    for part in sentence.parts:
        yield from _check_class(sentence, part, sources)
    yield from _check_trend(sentence, sources)
    yield from _check_side(sentence, sources)


def _check_class(sentence: Sentence, part: Part, sources: Sources) -> Iterator[str]:
    """More or less than the class, of one behaviour in known weeks."""
    text = sentence.undated[part.start : part.end]
    weeks, found = sentence.weeks_at(part), _subjects(sentence, part, sources)
    if not CLASS.search(text) or not weeks or not found or _NOT.search(text) or not YOU.search(sentence.text):
        return
    if any(part.start <= each.start < part.end for each in sentence.amounts):
        return
    signs = [_sign(text, subject, sources) for subject in found]
    if _class_leads(text):
        signs = [-sign for sign in signs]
    pairs = [
        (sign, own, usual)
        for sign, subject in zip(signs, found, strict=True)
        for week in weeks
        for own, usual in _both(sources, subject, week)
    ]
    if pairs and all(sign and sign * (own - usual) < 0 for sign, own, usual in pairs):
        yield _tell(sentence, part, text)


def _class_leads(text: str) -> bool:
    """Whether the class is what is compared, and the student what it is compared with."""
    theirs, yours = CLASS.search(text), YOU.search(text)
    if not theirs or not yours or theirs.start() > yours.start():
        return False
    return " than " not in text[: yours.start()] and " que " not in text[: yours.start()]


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


def _check_side(sentence: Sentence, sources: Sources) -> Iterator[str]:
    """What counted for or against, and what counted most."""
    good, bad = bool(_FOR.search(sentence.text)), bool(_AGAINST.search(sentence.text))
    if good == bad or _DENIED.search(sentence.text) or _UNDECIDED.search(sentence.text):
        return
    lists = [r for r in sources.rankings if r.week is None or not sentence.weeks or r.week in sentence.weeks]
    most = _MOST.search(sentence.text)
    own = [r for r in lists if r.counted_for == good]
    if not lists or not (sentence.weeks or len(sources.rankings) == 2):
        return
    found = _claimed(sentence, lists, bool(most))
    rows = [row for r in own for row in r.rows if not sentence.weeks or row[1] in sentence.weeks or row[1] is None]
    against = [row for r in lists if r.counted_for != good for row in r.rows]
    others = [row for row in against if not sentence.weeks or row[1] in sentence.weeks]
    side = "for" if good else "against"
    if found and all(
        any(row[0] == each for row in others) and not any(row[0] == each for row in rows) for each in found
    ):
        yield f"that {named(found)} counted {side} you"
    elif most and found and rows and max(row[2] for row in rows) > 0 and not set(found) & _top(rows):
        yield f"that {named(found)} counted most {side} you"


def _top(rows: Sequence[tuple[Subject, int | None, float]]) -> set[Subject]:
    highest = max(row[2] for row in rows)
    return {row[0] for row in rows if row[2] >= highest - 0.05}


def _claimed(sentence: Sentence, lists: Sequence[Ranking], most: bool) -> tuple[Subject, ...]:
    """The behaviours that a sentence speaks of: those of the part that says what counted, before any "more than"."""
    text = _THAN.split(sentence.undated)[0]
    cut = Sentence(text)
    able = {row[0] for each in lists for row in each.rows}
    found = choose(able, cut.concepts, cut.concepts)
    return found if len(found) <= 2 else ()


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
