"""Comparisons without figures: with the class, between weeks, and of what counted more than what for or against."""

import re
from collections.abc import Iterator, Sequence

from scribe.grounding.facts import AnswerSources
from scribe.grounding.sentences import CLASS, YOU, ParsedSentence, SentencePart
from scribe.grounding.subjects import Subject, choose
from scribe.grounding.words import compile_phrases, fold, read_concepts, weigh

_NEAR = 0.05
"""Influences this near to each other are alike."""
_CLEAR, _HALF = 1.0, 50.0
_SURE = 1.2
"""From this weight on, words speak of a behaviour for certain."""
_WORDS = compile_phrases("comparisons") | compile_phrases("importance")


def check_comparisons(sentence: ParsedSentence, sources: AnswerSources) -> Iterator[str]:
    """A phrase for each comparison of a sentence that the sources' figures contradict."""
    for part in sentence.parts:
        yield from _check_class(sentence, part, sources)
    yield from _check_trend(sentence, sources)


def _check_class(sentence: ParsedSentence, part: SentencePart, sources: AnswerSources) -> Iterator[str]:
    """More or less than the class, of one behaviour in known weeks."""
    text = sentence.undated[part.start : part.end]
    if not CLASS.search(text) or _WORDS["not"].search(text) or not YOU.search(sentence.text):
        return
    if any(part.start <= each.start < part.end for each in sentence.amounts):
        return
    signs = [
        _sign(text, subject, sources) * (own[week] - usual[week])
        for subject in _subjects(sentence, part, sources)
        for own, usual in [(_values(sources, subject, "yours"), _values(sources, subject, "class"))]
        for week in sentence.weeks_at(part)
        if week in own and week in usual
    ]
    if signs and all(sign < 0 for sign in signs):
        words = sentence.raw[part.start : part.end].strip(" ,;:()").split()
        yield f"“{' '.join(words[-14:])}”"


def _sign(text: str, subject: Subject, sources: AnswerSources) -> int:
    """1 for more, -1 for less, 0 for undecided."""
    late = "delay" in subject.concepts
    better = -1 if sources.subjects.wants_less(subject) else 1
    ways = {"sooner": -int(late), "later": int(late), "better": better, "worse": -better, "down": -1, "up": 1}
    found = [sign for name, sign in ways.items() if _WORDS[name].search(text)]
    return found[0] if len(set(found)) == 1 or (late and found) else 0


def _check_trend(sentence: ParsedSentence, sources: AnswerSources) -> Iterator[str]:
    """Rising or falling from the first named week to the last."""
    rose, fell = _WORDS["rose"].search(sentence.text), _WORDS["fell"].search(sentence.text)
    weeks, found = sorted(sentence.weeks), _subjects(sentence, sentence.parts[0], sources)
    undecided = sentence.amounts or bool(rose) == bool(fell) or _WORDS["not"].search(sentence.undated)
    if undecided or len(weeks) < 2 or len(found) != 1:
        return
    own = _values(sources, found[0], "yours")
    change = own[weeks[-1]] - own[weeks[0]] if {weeks[0], weeks[-1]} <= set(own) else 0
    if change * (1 if rose else -1) < 0:
        yield f"that {found[0].name} {'rose' if rose else 'fell'} from week {weeks[0]} to {weeks[-1]}"


def _subjects(sentence: ParsedSentence, part: SentencePart, sources: AnswerSources) -> tuple[Subject, ...]:
    able = {fact.subject for fact in sources.of("behaviour")}
    found = choose(able, sentence.local(part), sentence.concepts)
    return tuple(each for each in found if weigh(each.concepts & sentence.concepts) >= _SURE)


def _values(sources: AnswerSources, subject: Subject, whose: str) -> dict[int | None, float]:
    """A subject's value by week; the first where there are several."""
    facts = [fact for fact in reversed(sources.facts) if fact.subject == subject and fact.whose == whose]
    return {fact.week: fact.value for fact in facts}


def check_importance(sentence: ParsedSentence, sources: AnswerSources) -> Iterator[str]:
    """A phrase for what a sentence says of weight, side or reach of behaviours if the results say otherwise."""
    if not _WORDS["weight"].search(sentence.text) or _WORDS["undecided"].search(sentence.text):
        return
    reach = [(fact.subject, fact.value) for fact in sources.of("reach")]
    if reach and not sentence.weeks and _WORDS["many"].search(sentence.text):
        behaviours = [(name, share) for name, share in reach if not name.name[:1].isupper()]
        yield from _check_order(sentence, behaviours, "for students", 0.5)
        yield from _check_reach(sentence, reach)
    elif rows := _rows(sentence, sources):
        yield from _check_influence(sentence, rows)


def _check_influence(sentence: ParsedSentence, rows: Sequence[tuple[Subject, bool, float]]) -> Iterator[str]:
    good, bad = bool(_WORDS["for"].search(sentence.text)), bool(_WORDS["against"].search(sentence.text))
    head, _, _ = _split(sentence)
    found = _claimed(head, [row[0] for row in rows])
    able = [(name, weight) for name, side, weight in rows if good == bad or side == good]
    own = [weight for name, weight in able if name in found]
    side = f"{'for' if good else 'against'} you" if good != bad else ""
    if side and found and not own:
        yield f"that {found[0].name} counted {side}"
    elif side and own and _WORDS["heavy"].search(sentence.text) and max(own) < _NEAR:
        yield f"that {found[0].name} counted much {side} (it hardly did)"
    elif own and not sentence.amounts and len(found) == 1 and _WORDS["hardly"].search(head) and max(own) >= _CLEAR:
        yield f"that {found[0].name} hardly counted"
    else:
        yield from _check_order(sentence, able, side, _NEAR)


def _check_order(
    sentence: ParsedSentence, rows: Sequence[tuple[Subject, float]], whom: str, near: float
) -> Iterator[str]:
    """A thing that is said to count most, or more than another."""
    head, tail, more = _split(sentence)
    weights: dict[Subject, float] = {}
    for subject, weight in rows:
        weights[subject] = max(weight, weights.get(subject, 0.0))
    first, second = _claimed(head, list(weights)), _claimed(tail, list(weights)) if tail else ()
    if not first:
        return
    ours, theirs = [weights[each] for each in first], [weights[each] for each in second]
    apart = theirs and not set(first) & set(second)
    if apart and (max(ours) < min(theirs) - near if more else min(ours) > max(theirs) + near):
        yield f"that {first[0].name} counted {'more' if more else 'less'} than {second[0].name}"
    elif _WORDS["most"].search(sentence.text) and not sentence.amounts and max(ours) < max(weights.values()) - near:
        yield f"that {first[0].name} counted most {whom}".rstrip()


def _check_reach(sentence: ParsedSentence, reach: Sequence[tuple[Subject, float]]) -> Iterator[str]:
    """That something counted for hardly anyone, or for nearly all."""
    text = sentence.text
    named = [subject for subject, _ in reach if re.search(rf"\b{re.escape(fold(subject.name))}\b", text)]
    named = named or list(_claimed(text, [subject for subject, _ in reach]))
    shares = [share for subject, share in reach if subject in named]
    few = shares and _WORDS["hardly"].search(text) and min(shares) >= _HALF
    many = shares and _WORDS["nearly_all"].search(text) and max(shares) < _HALF
    if few or many:
        yield f"“{sentence.raw[:60]}” (it counted for {shares[0]:.0f} percent of the students)"


def _rows(sentence: ParsedSentence, sources: AnswerSources) -> list[tuple[Subject, bool, float]]:
    """Behaviours with their side and influence, of the weeks that a sentence names; of one week if it names none."""
    rows = [(name, each.counted_for, weight, week) for each in sources.rankings for name, week, weight in each.rows]
    weeks = {week for _, _, _, week in rows}
    if not sentence.weeks <= weeks or (not sentence.weeks and len(sources.rankings) != 2):
        return []
    return [(name, good, weight) for name, good, weight, week in rows if week in (sentence.weeks or weeks)]


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
    return found if len(found) <= 2 and all(weigh(each.concepts & local) >= _SURE for each in found) else ()
