"""What counted for or against the student, and what counted more than what: for this student, or for how many."""

import re
from collections.abc import Iterator, Sequence

from scribe.grounding.facts import AnswerSources
from scribe.grounding.sentences import ParsedSentence
from scribe.grounding.subjects import Subject, choose, named
from scribe.grounding.words import compile_phrases, fold, read_concepts, weigh

_NEAR = 0.05
"""Influences this near to each other are alike."""
_CLEAR, _LARGE, _SMALL = 1.0, 50.0, 50.0

_WORDS = compile_phrases("importance")


def check_importance(sentence: ParsedSentence, sources: AnswerSources) -> Iterator[str]:
    """A phrase for what a sentence says of weight, side or reach of behaviours if the results say otherwise."""
    if not _WORDS["weight"].search(sentence.text) or _WORDS["undecided"].search(sentence.text):
        return
    reach = _reach(sources)
    if reach and not sentence.weeks and _WORDS["many"].search(sentence.text):
        yield from _check_order(
            sentence, [(name, share) for name, share in reach if not name.name[:1].isupper()], "for students", 0.5
        )
        yield from _check_reach(sentence, reach)
    elif rows := _rows(sentence, sources):
        side = [row for row in rows if row[1] is not None]
        yield from _check_influence(sentence, side, sources)


def _check_influence(
    sentence: ParsedSentence, rows: Sequence[tuple[Subject, bool | None, float]], sources: AnswerSources
) -> Iterator[str]:
    good, bad = bool(_WORDS["for"].search(sentence.text)), bool(_WORDS["against"].search(sentence.text))
    able = [row for row in rows if good == bad or row[1] == good]
    head, _, _ = _split(sentence)
    found = _claimed(head, [row[0] for row in rows])
    own = [row for row in able if row[0] in found]
    side = "for" if good else "against"
    if good != bad and found and not own and (sentence.weeks or len(sources.rankings) == 2):
        yield f"that {named(found)} counted {side} you"
    elif good != bad and own and _WORDS["heavy"].search(sentence.text) and max(row[2] for row in own) < _NEAR:
        yield f"that {named(found)} counted much {side} you (it hardly did)"
    elif (
        found
        and own
        and not sentence.amounts
        and _WORDS["hardly"].search(head)
        and max(row[2] for row in own) >= _CLEAR
        and len(found) == 1
    ):
        yield f"that {named(found)} hardly counted"
    else:
        weighty = [(name, weight) for name, _, weight in able]
        yield from _check_order(sentence, weighty, f"{side} you" if good != bad else "", _NEAR)


def _check_order(
    sentence: ParsedSentence, rows: Sequence[tuple[Subject, float]], whom: str, near: float
) -> Iterator[str]:
    """A thing that is said to count most, or more than another."""
    head, tail, more = _split(sentence)
    weights: dict[Subject, float] = {}
    for subject, weight in rows:
        weights[subject] = max(weight, weights.get(subject, 0.0))
    first, second = _claimed(head, list(weights)), _claimed(tail, list(weights)) if tail else ()
    if not first or not weights:
        return
    if second and not set(first) & set(second):
        one, other = max(weights[each] for each in first), min(weights[each] for each in second)
        if (
            (one < other - near)
            if more
            else (min(weights[each] for each in first) > max(weights[each] for each in second) + near)
        ):
            yield f"that {named(first)} counted {'more' if more else 'less'} than {named(second)}"
            return
    said = _WORDS["most"].search(sentence.text)
    top = max(weights.values())
    best = [each for each, weight in weights.items() if weight >= top - near]
    if said and more and not sentence.amounts and top > 0 and not set(first) & set(best):
        yield f"that {named(first)} counted most {whom}".rstrip()


def _check_reach(sentence: ParsedSentence, reach: Sequence[tuple[Subject, float]]) -> Iterator[str]:
    """That something counted for hardly anyone, or for nearly all."""
    text = sentence.text
    shares = [share for subject, share in reach if re.search(rf"\b{re.escape(fold(subject.name))}\b", text)]
    if not shares and (found := _claimed(text, [subject for subject, _ in reach])):
        shares = [share for subject, share in reach if subject in found]
    if shares and _WORDS["hardly"].search(text) and min(shares) >= _LARGE:
        yield f"“{sentence.raw[:60]}” (it counted for {min(shares):.0f} percent of the students)"
    elif shares and _WORDS["nearly_all"].search(text) and max(shares) < _SMALL:
        yield f"“{sentence.raw[:60]}” (it counted for {max(shares):.0f} percent of the students)"


def _reach(sources: AnswerSources) -> list[tuple[Subject, float]]:
    return [(fact.subject, fact.value) for fact in sources.of("reach")]


def _rows(sentence: ParsedSentence, sources: AnswerSources) -> list[tuple[Subject, bool | None, float]]:
    """Behaviours with their side and influence, of the weeks that a sentence names; of one week if it names none."""
    lists = [
        (name, each.counted_for, weight, week if week is not None else each.week)
        for each in sources.rankings
        for name, week, weight in each.rows
    ]
    weeks = {week for _, _, _, week in lists}
    if not sentence.weeks and len(sources.rankings) != 2:
        return []
    if sentence.weeks and None not in weeks and not sentence.weeks <= weeks:
        return []
    return [
        (name, good, weight)
        for name, good, weight, week in lists
        if not sentence.weeks or week is None or week in sentence.weeks
    ]


def _split(sentence: ParsedSentence) -> tuple[str, str, bool]:
    """A sentence at its "more than": what stands before and after, and whether the first is said to be more."""
    text = re.split(r",? (?:puis|then|ensuite|followed)\b", sentence.undated)[0]
    if _WORDS["nothing"].search(text):
        return text, "", True
    if not (cut := _WORDS["more"].search(text)):
        less = re.search(r"\b(?:less|fewer|moins)\b.{0,40}\b(?:than|que)\b", text)
        return (text[: less.start()], text[less.end() :], False) if less else (text, "", True)
    return text[: cut.start()], re.split(r"[;,](?= )| and (?=you)", text[cut.end() :])[0], True


def _claimed(text: str, able: Sequence[Subject]) -> tuple[Subject, ...]:
    """The behaviours that a piece of text surely speaks of."""
    local = frozenset(read_concepts(text).places)
    found = choose(dict.fromkeys(able), local, local)
    return found if len(found) <= 2 and all(weigh(each.concepts & local) >= 1.2 for each in found) else ()
