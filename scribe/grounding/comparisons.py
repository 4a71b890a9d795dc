"""Comparisons without figures: with the class and between weeks."""

from collections.abc import Iterator

from scribe.grounding.facts import AnswerSources, Fact
from scribe.grounding.sentences import CLASS, YOU, ParsedSentence, SentencePart
from scribe.grounding.subjects import Subject, choose
from scribe.grounding.words import compile_phrases, weigh

_WORDS = compile_phrases("comparisons")


def check_comparisons(sentence: ParsedSentence, sources: AnswerSources) -> Iterator[str]:
    """A phrase for each comparison of a sentence that the sources' figures contradict."""
    for part in sentence.parts:
        yield from _check_class(sentence, part, sources)
    yield from _check_trend(sentence, sources)


def _check_class(sentence: ParsedSentence, part: SentencePart, sources: AnswerSources) -> Iterator[str]:
    """More or less than the class, of one behaviour in known weeks."""
    text = sentence.undated[part.start : part.end]
    weeks, found = sentence.weeks_at(part), _subjects(sentence, part, sources)
    if not CLASS.search(text) or not weeks or not found or _WORDS["not"].search(text) or not YOU.search(sentence.text):
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
    weeks = sorted(sentence.weeks)
    if sentence.amounts or bool(rose) == bool(fell) or len(weeks) < 2 or _WORDS["not"].search(sentence.undated):
        return
    for subject in (found := _subjects(sentence, sentence.parts[0], sources)):
        own = {f.week: f.value for f in _facts(sources, subject) if f.whose == "yours"}
        if len(found) > 1 or weeks[0] not in own or weeks[-1] not in own:
            return
        change = own[weeks[-1]] - own[weeks[0]]
        if change * (1 if rose else -1) < 0:
            yield f"that {subject.name} {'rose' if rose else 'fell'} from week {weeks[0]} to {weeks[-1]}"


def _subjects(sentence: ParsedSentence, part: SentencePart, sources: AnswerSources) -> tuple[Subject, ...]:
    able = {fact.subject for fact in sources.of("behaviour")}
    found = choose(able, sentence.local(part), sentence.concepts)
    return tuple(each for each in found if weigh(each.concepts & sentence.concepts) >= 1.2)


def _both(sources: AnswerSources, subject: Subject, week: int) -> list[tuple[float, float]]:
    """The student's and the class's value of a week, if both are known."""
    facts = [fact for fact in _facts(sources, subject) if fact.week == week]
    own = [fact.value for fact in facts if fact.whose == "yours"]
    usual = [fact.value for fact in facts if fact.whose == "class"]
    return [(own[0], usual[0])] if own and usual else []


def _facts(sources: AnswerSources, subject: Subject) -> list[Fact]:
    return [fact for fact in sources.facts if fact.subject == subject]


def _tell(sentence: ParsedSentence, part: SentencePart, text: str) -> str:
    words = sentence.raw[part.start : part.end].strip(" ,;:()")
    return f"“{words}”" if len(words.split()) <= 14 else f"“{' '.join(words.split()[-14:])}”"
