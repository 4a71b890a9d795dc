"""The figures of an answer: each must be that of a source with the same subject, week and owner."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scribe.grounding.amounts import Amount, read_amounts
from scribe.grounding.facts import AnswerSources, Fact
from scribe.grounding.sentences import CLASS, ParsedSentence, Whose
from scribe.grounding.subjects import Subject, choose
from scribe.grounding.words import compile_phrases, fold, is_concept, weigh

_GOAL = frozenset({"minutes", "times", "days", "sessions", "answers", "openings", ""})
_STRONG = 1.5

_WORDS = compile_phrases("values")


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure as its sentence says it. strength: how much the words say about which subject is meant."""

    amount: Amount
    subjects: tuple[Subject, ...]
    weeks: frozenset[int]
    whose: Whose
    strength: float


def check_values(sentence: ParsedSentence, sources: AnswerSources, known: frozenset[float]) -> Iterator[str]:
    """A phrase for each figure of a sentence that no source supports. known: numbers said without a subject."""
    for amount in sentence.amounts:
        claim = _read_claim(sentence, amount, sources)
        if not _is_supported(claim, sentence, sources, known) and _is_claimed(claim, sentence):
            yield _tell(claim, sentence)


def _read_claim(sentence: ParsedSentence, amount: Amount, sources: AnswerSources) -> Claim:
    part = sentence.part_at(amount.start)
    able = dict.fromkeys(fact.subject for fact in sources.facts if amount.agrees(fact.unit))
    words = {each for one in able for each in one.concepts if not is_concept(each)}
    around = sentence.concepts | {each for each in words if each in sentence.text}
    local = sentence.local(part) | {each for each in words if each in part.text}
    found = choose(able, local, around)
    strength = max((weigh(each.concepts & (local | around)) for each in found), default=0.0)
    return Claim(amount, found, sentence.weeks_at(part), sentence.whose(amount), strength)


def _is_supported(claim: Claim, sentence: ParsedSentence, sources: AnswerSources, known: frozenset[float]) -> bool:
    amount = claim.amount
    if not claim.subjects:
        return _is_known(amount, sources, known)
    mine = [fact for fact in sources.facts if fact.subject in claim.subjects]
    dated = [fact for fact in mine if fact.week is None or not claim.weeks or fact.week in claim.weeks]
    owned = [fact for fact in dated if not (claim.whose and fact.whose) or fact.whose == claim.whose]
    if any(_fits(amount, fact) for fact in owned):
        return True
    if _is_derived(claim, sentence, dated, mine) or _is_multiple(amount, sentence, sources):
        return True
    if any(each.kind == "grade" for each in claim.subjects) and len(sentence.amounts) > 1:
        return any(_fits(amount, f) for f in sources.facts if f.subject.kind in ("grade", "weight", "work"))
    return not _is_bound(claim) and _is_known(amount, sources, known)


def _is_multiple(amount: Amount, sentence: ParsedSentence, sources: AnswerSources) -> bool:
    """Whether a rule's number, so many times, is the amount: two days late at 10 percent are 20 percent."""
    told = {each.value for rule in sources.rules for each in read_amounts(fold(rule))}
    times = (1, 2, 3) if _WORDS["rule"].search(sentence.text) else ()
    return any(amount.value == many * each for each in told for many in times)


def _is_bound(claim: Claim) -> bool:
    """Whether the claim surely speaks of a subject's value, and not of something else in the same sentence."""
    if all(each.kind in ("work", "weight") for each in claim.subjects):
        return claim.amount.of is not None
    return claim.strength >= _STRONG


def _fits(amount: Amount, fact: Fact) -> bool:
    if amount.of is not None:
        if fact.whole is None:
            return fact.unit == "percent" and abs(100 * amount.value / amount.of - fact.value) < 8
        return amount.fits(fact.value, "points") and abs(amount.of - fact.whole) < 0.1
    if fact.whole and amount.unit == "percent":
        return abs(100 * fact.value / fact.whole - amount.value) <= (8 if amount.vague else 1)
    return amount.fits(fact.value, fact.unit) or (fact.whole is not None and amount.fits(fact.whole, fact.unit))


def _is_derived(claim: Claim, sentence: ParsedSentence, dated: Sequence[Fact], mine: Sequence[Fact]) -> bool:
    """Whether the amount is a difference or a sum of figures of its subject."""
    amount, weeks = claim.amount, {*claim.weeks, *sentence.weeks, None}
    for a, b in combinations(mine, 2) if _WORDS["difference"].search(sentence.text) else ():
        alike = a.subject == b.subject and (a.week == b.week or a.whose == b.whose)
        near = not claim.weeks or {a.week, b.week} <= weeks
        if alike and near and amount.fits(a.value - b.value, a.unit):
            return True
    for subject in claim.subjects if _WORDS["sum"].search(sentence.text) else ():
        for rows in (dated, mine):
            parts = {(f.week, f.whose): f for f in rows if f.subject == subject and f.whose != "class"}.values()
            sums = sum(fact.value for fact in parts), sum(fact.whole or 0 for fact in parts)
            if len(parts) > 1 and any(amount.fits(value, next(iter(parts)).unit) for value in sums):
                return True
    return False


def _is_known(amount: Amount, sources: AnswerSources, known: frozenset[float]) -> bool:
    """Whether the bare figure stands in any source, or a text without subjects says it."""
    if any(abs(amount.value - each) < 0.06 or abs(amount.value / 60 - each) < 0.06 for each in known):
        return True
    return any(_fits(amount, fact) for fact in sources.facts)


def _is_claimed(claim: Claim, sentence: ParsedSentence) -> bool:
    """Whether the figure is said of the student's data or the course; not of what the student might do."""
    part, amount = sentence.part_at(claim.amount.start), claim.amount
    kinds = {subject.kind for subject in claim.subjects}
    if amount.word == "fraction" and not (claim.weeks and "behaviour" in kinds):
        return False
    if kinds & {"grade", "work", "weight"} and _WORDS["supposed"].search(sentence.text):
        return False
    if not claim.subjects and amount.of is None:
        stated = _WORDS["done"].search(part.text) or _WORDS["course"].search(part.text)
        return amount.unit != "percent" and bool(stated)
    if amount.unit in _GOAL and _WORDS["advice"].search(part.text) and not (claim.weeks and claim.whose):
        return False
    return bool(claim.whose or CLASS.search(sentence.text) or amount.unit == "percent")


def _tell(claim: Claim, sentence: ParsedSentence) -> str:
    amount = claim.amount
    said = sentence.raw[amount.start : amount.end].strip()
    if not claim.subjects and said[:1].isdigit():
        return f"the number {said}"
    owner = {"yours": " as your value", "class": " as the class's value", "": ""}[claim.whose]
    of = f" for “{claim.subjects[0].name}”" if claim.subjects else ""
    when = f" in week {', '.join(map(str, sorted(claim.weeks)))}" if claim.weeks else ""
    return f"“{said}”{owner}{of}{when}"
