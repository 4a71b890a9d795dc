"""The plan of the course: which topic is taught in which week, and which topic builds on which."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from scribe.grounding.facts import AnswerSources
from scribe.grounding.sentences import ParsedSentence, read_sentences
from scribe.grounding.subjects import Lexicon
from scribe.grounding.words import compile_phrases, fold

_NEAR = 90
"""Letters between a topic and the week that it is said to be in."""

_WORDS = compile_phrases("plan")


def check_plan(sentence: ParsedSentence, sources: AnswerSources, lexicon: Lexicon, report: str) -> Iterator[str]:
    """A phrase for each topic put in the wrong week or on the wrong ground. report: and the line on the course."""
    if topics := find_topics(sentence.text, lexicon.topics):
        yield from _check_weeks(sentence, topics, _known_weeks(sources, lexicon, report))
        yield from _check_needs(sentence, topics, sources, lexicon)


def find_topics(text: str, groups: Sequence[Sequence[str]]) -> list[tuple[int, int, int]]:
    """Where a folded text names topics: start, end and the topic's place in the lexicon; longest names first."""
    found: list[tuple[int, int, int]] = []
    for bare, pattern, place in _patterns(tuple(map(tuple, groups))):
        if bare in text:
            for match in pattern.finditer(text):
                if all(match.end() <= start or end <= match.start() for start, end, _ in found):
                    found.append((match.start(), match.end(), place))
    return sorted(found)


@lru_cache(maxsize=16)
def _patterns(groups: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, re.Pattern[str], int], ...]:
    names = {(_bare(fold(name)), place) for place, group in enumerate(groups) for name in group}
    ordered = sorted((each for each in names if len(each[0]) >= 3), key=lambda each: (-len(each[0]), each))
    return tuple((bare, re.compile(rf"(?<!\w){re.escape(bare)}(?!\w)"), place) for bare, place in ordered)


def _bare(name: str) -> str:
    return re.sub(r"^(?:the|le|la|les|l') ?", "", name)


def _known_weeks(sources: AnswerSources, lexicon: Lexicon, report: str) -> dict[int, set[int]]:
    """The weeks of each topic that the sources say."""
    told = [(name, week) for week, names in sources.plans.items() for name in names]
    told += [*sources.taught, *((need, when) for _, need, when in sources.needs if when)]
    dated = (each for each in read_sentences(report) if any(len(weeks) == 1 for _, _, weeks in each.dates))
    told += [(sentence.raw, week) for sentence in dated for week in sentence.weeks]
    known: dict[int, set[int]] = {}
    for name, week in told:
        for _, _, topic in find_topics(fold(name), lexicon.topics):
            known.setdefault(topic, set()).add(week)
    return known


def _is_placed(between: str) -> bool:
    """Whether what stands between a topic and a week puts it there; what one should read before it may be of any."""
    words, may_stand = re.findall(r"[a-z']+", between), _WORDS["places"].fullmatch
    if words[-1:] in (["before"], ["avant"]):
        return bool({"due", "not", "n'arrive", "pas"} & set(words)) and all(map(may_stand, words[:-1]))
    return bool(words) and "," not in between and words[-1] not in ("to", "for") and all(map(may_stand, words))


def _check_weeks(
    sentence: ParsedSentence, topics: Sequence[tuple[int, int, int]], known: dict[int, set[int]]
) -> Iterator[str]:
    """Topics of a sentence that names one week and does not speak of what they build on."""
    for (_, end, topic), (start, stop, weeks) in ((a, b) for a in topics for b in sentence.dates):
        # "quantization is not due before week 9": right behind its topic, a week can be of nothing else.
        placed = 0 <= start - end < 60 and len(weeks) == 1 and _is_placed(sentence.text[end:start])
        if placed and topic in known and not known[topic] & weeks:
            yield f"“{sentence.raw[topics[0][0] : stop]}”"
            return
    if len(sentence.weeks) != 1 or _WORDS["other"].search(sentence.text) or _WORDS["builds"].search(sentence.text):
        return
    for start, end, topic in topics:
        near = min(min(abs(start - b), abs(a - end)) for a, b, _ in sentence.dates)
        if near <= _NEAR and topic in known and not known[topic] & sentence.weeks:
            yield f"“{sentence.raw[start:end]}” in week {min(sentence.weeks)}"


def _check_needs(
    sentence: ParsedSentence, topics: Sequence[tuple[int, int, int]], sources: AnswerSources, lexicon: Lexicon
) -> Iterator[str]:
    """Of two topics in a sentence that says one builds on the other, a source must say so of them."""
    if len(topics) != 2 or not _WORDS["builds"].search(sentence.text) or not sources.needs:
        return
    pairs = {
        (user, ground)
        for topic, need, _ in sources.needs
        for _, _, user in find_topics(fold(topic), lexicon.topics)
        for _, _, ground in find_topics(fold(need), lexicon.topics)
    }
    users, grounds = {user for user, _ in pairs}, {ground for _, ground in pairs}
    first, second = topics
    wanted = {(first[2], second[2]), (second[2], first[2])}
    apart = [
        user in users - grounds and (ground in grounds - users or len(sentence.weeks) == 2) for user, ground in wanted
    ]
    if not wanted & pairs and any(apart):
        one, other = (sentence.raw[start:end] for start, end, _ in topics)
        yield f"that “{one}” and “{other}” build on each other"
