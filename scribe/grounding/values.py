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
    """A figure as its sentence says it."""

    amount: Amount
    subjects: tuple[Subject, ...]
    weeks: frozenset[int]
    whose: Whose
    strength: float
    plain: bool
    """Whether the words beside the figure say by themselves what it is of."""


def check_values(sentence: ParsedSentence, sources: AnswerSources, known: frozenset[float]) -> Iterator[str]:
    """A phrase for each figure of a sentence that no source supports. known: numbers said without a subject."""
    before: tuple[Subject, ...] = ()
    for amount in sentence.amounts:
        claim = _read_claim(sentence, amount, sources, before)
        before = claim.subjects or before
        if not _is_supported(claim, sentence, sources, known) and _is_claimed(claim, sentence):
            known_weeks = {fact.week for fact in sources.of("behaviour")}
            dated = known_weeks & claim.weeks if claim.weeks <= known_weeks else set()
            planned = amount.unit in _GOAL or amount.word == "fraction"
            if not planned or not claim.weeks or dated or not claim.subjects:
                yield _tell(claim, sentence)


def _read_claim(sentence: ParsedSentence, amount: Amount, sources: AnswerSources, before: tuple[Subject, ...]) -> Claim:
    part = sentence.part_at(amount.start)
    local = sentence.local(part)
    reach = bool(_WORDS["reach"].search(sentence.text)) and any(fact.subject.kind == "reach" for fact in sources.facts)
    able = dict.fromkeys(
        fact.subject
        for fact in sources.facts
        if amount.agrees(fact.unit) and (fact.subject.kind == "reach") == (reach and amount.unit == "percent")
    )
    words = {each for one in able for each in one.concepts if not is_concept(each)}
    around = sentence.concepts | {each for each in words if each in sentence.text}
    local |= {each for each in words if each in part.text}
    found = tuple(able) if reach and amount.unit == "percent" else choose(able, local, around)
    if not weigh(local) and (again := tuple(each for each in before if each in able)):
        found = again
    strength = max((weigh(each.concepts & (local | around)) for each in found), default=0.0)
    if any(each.kind in ("work", "weight") for each in found):
        found = (
            *found,
            *(each for each in able if each.kind in ("work", "weight") and each.concepts & (local | around)),
        )
    own = max((weigh(each.concepts & local) for each in found), default=0.0)
    told = sum(each.word != "fraction" for each in sentence.amounts)
    plain = told < 3 and (own >= 1.2 or found == before or strength >= _STRONG)
    return Claim(amount, found, sentence.weeks_at(part), sentence.whose(amount), strength, plain)


def _is_supported(claim: Claim, sentence: ParsedSentence, sources: AnswerSources, known: frozenset[float]) -> bool:
    amount = claim.amount
    if not claim.subjects:
        return _is_known(amount, sources, known)
    mine = [fact for fact in sources.facts if fact.subject in claim.subjects and amount.agrees(fact.unit)]
    dated = [fact for fact in mine if fact.week is None or not claim.weeks or fact.week in claim.weeks]
    owned = [fact for fact in dated if not (claim.whose and fact.whose) or fact.whose == claim.whose]
    if any(_fits(amount, fact) for fact in owned):
        return True
    if _is_derived(claim, sentence, dated, mine) or _is_multiple(amount, sentence, sources):
        return True
    if any(each.kind == "grade" for each in claim.subjects) and len(sentence.amounts) > 1:
        rows = [fact for fact in sources.facts if fact.subject.kind in ("grade", "weight", "work")]
        if not sentence.weeks and any(
            abs(amount.value - fact.value) < 1.6 for fact in rows if fact.subject.kind == "grade"
        ):
            return True  # what is said of parts of the grade is checked as a whole elsewhere
        told = {fact.value for fact in rows}
        if len(sentence.amounts) > 2 and any(amount.value in (a + b, abs(a - b)) for a, b in combinations(told, 2)):
            return True
        return any(_fits(amount, fact) for fact in rows) or {amount.value, amount.of} <= told
    if any(each.kind == "grade" for each in claim.subjects) and any(_fits(amount, f) for f in sources.of("weight")):
        return True
    return not (claim.plain and _is_bound(claim, owned)) and _is_known(amount, sources, known)


def _is_multiple(amount: Amount, sentence: ParsedSentence, sources: AnswerSources) -> bool:
    """Whether a rule's number, so many times, is the amount: two days late at 10 percent are 20 percent."""
    if not sources.rules or not _WORDS["rule"].search(sentence.text):
        return False
    told = {each.value for rule in sources.rules for each in read_amounts(fold(rule))}
    return any(amount.value == times * each for each in told for times in (1, 2, 3))


def _is_bound(claim: Claim, owned: Sequence[Fact]) -> bool:
    """Whether the claim surely speaks of a subject's value, and not of something else in the same sentence."""
    if all(each.kind in ("work", "weight") for each in claim.subjects):
        return claim.amount.of is not None
    if claim.amount.unit == "":
        return bool(owned) and claim.strength >= _STRONG and bool(claim.weeks and claim.whose)
    return claim.strength >= _STRONG or (claim.strength >= 1.2 and bool(claim.weeks) and bool(claim.whose))


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
    amount = claim.amount
    if _WORDS["difference"].search(sentence.text):
        pairs = [
            (a, b)
            for a, b in combinations(mine, 2)
            if a.subject == b.subject and (a.unit == b.unit or not a.unit or not b.unit)
        ]
        asked = [
            (a, b) for a, b in pairs if not claim.weeks or {a.week, b.week} <= {*claim.weeks, *sentence.weeks, None}
        ]
        if any(amount.fits(a.value - b.value, a.unit) for a, b in asked if a.week == b.week or a.whose == b.whose):
            return True
        if any(fact.whole and amount.fits(fact.whole - fact.value, fact.unit) for fact in dated):
            return True
    if not _WORDS["sum"].search(sentence.text):
        return False
    for subject in claim.subjects:
        for rows in (dated, mine):
            parts = list({(f.week, f.whose): f for f in rows if f.subject == subject and f.whose != "class"}.values())
            if len(parts) > 1 and _sums(amount, parts, "gave away" in sentence.text or "lost" in sentence.text):
                return True
    return False


def _sums(amount: Amount, parts: Sequence[Fact], lost: bool) -> bool:
    total = sum(fact.value for fact in parts)
    whole = sum(fact.whole or 0 for fact in parts)
    if amount.of is not None and abs(amount.of - whole) > 0.1:
        return False
    wanted = (total, whole, whole - total) if lost else (total, whole)
    return any(amount.fits(value, parts[0].unit) for value in wanted) or (
        bool(whole) and amount.unit == "percent" and abs(100 * total / whole - amount.value) < 6
    )


def _is_known(amount: Amount, sources: AnswerSources, known: frozenset[float]) -> bool:
    """Whether the bare figure stands in any source, or a text without subjects says it."""
    if any(abs(amount.value - each) < 0.06 or abs(amount.value / 60 - each) < 0.06 for each in known):
        return True
    return any(_fits(amount, fact) for fact in sources.facts)


def _is_claimed(claim: Claim, sentence: ParsedSentence) -> bool:
    """Whether the figure is said of the student's data or the course; not of what the student might do."""
    part, amount = sentence.part_at(claim.amount.start), claim.amount
    kinds = {subject.kind for subject in claim.subjects}
    if amount.word == "fraction" and (not claim.weeks or "behaviour" not in kinds):
        return False
    if kinds & {"grade", "work", "weight"} and _WORDS["supposed"].search(sentence.text):
        return False
    if amount.unit == "percent" and not claim.subjects and not claim.weeks:
        return False
    if amount.unit in _GOAL and not (claim.weeks or claim.whose):
        return False
    if amount.unit in (*_GOAL, "points") and not claim.subjects and amount.of is None:
        done = bool(_WORDS["done"].search(part.text))
        told = done or (claim.weeks and _WORDS["course"].search(part.text))
        return bool(told) and (done or not _WORDS["advice"].search(part.text))
    if (
        amount.unit in _GOAL
        and _WORDS["advice"].search(part.text)
        and not (claim.weeks and claim.strength >= _STRONG and claim.whose)
    ):
        return False
    if amount.unit in ("", "days", "times", "answers", "points") and claim.strength < _STRONG and not claim.weeks:
        return amount.unit == "points" and bool(claim.whose)
    return bool(
        _WORDS["claim"].search(part.text) or claim.whose or CLASS.search(sentence.text) or amount.unit == "percent"
    )


def _tell(claim: Claim, sentence: ParsedSentence) -> str:
    amount = claim.amount
    said = sentence.raw[amount.start : amount.end].strip()
    if not claim.subjects and said[:1].isdigit():
        return f"the number {said}"
    owner = {"yours": " as your value", "class": " as the class's value", "": ""}[claim.whose]
    of = f" for “{claim.subjects[0].name}”" if claim.subjects else ""
    when = f" in week {', '.join(map(str, sorted(claim.weeks)))}" if claim.weeks else ""
    return f"“{said}”{owner}{of}{when}"
