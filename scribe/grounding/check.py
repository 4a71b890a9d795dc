"""The check of one answer: its sentences, one by one, against all that the sources say."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scribe.grounding.amounts import read_amounts
from scribe.grounding.comparisons import check_comparisons, check_importance
from scribe.grounding.facts import AnswerSources, read_sources
from scribe.grounding.plan import check_plan
from scribe.grounding.rules import check_rules
from scribe.grounding.sentences import ParsedSentence, read_sentences
from scribe.grounding.standing import check_standing
from scribe.grounding.subjects import Lexicon, Subjects
from scribe.grounding.values import check_values
from scribe.grounding.weeks import weeks
from scribe.grounding.words import compile_phrases, fold
from scribe.messages import defuse
from scribe.trajectory import Trajectory

_WORDS = compile_phrases("events")
_PLAIN_WEEK = re.compile(r"\b(?<!no )(?<!pas de )(?:week|semaine) (\d{1,4})\b(?![.,]\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Grounding:
    """The check for one course; call it with a trajectory and the answer that wants to leave."""

    lexicon: Lexicon

    def __call__(self, trajectory: Trajectory, answer: str) -> Sequence[str]:
        """What the answer claims that nothing supports, as short phrases; empty if all is well or cannot be decided."""
        sources = read_sources(trajectory, _read_subjects(self.lexicon), self.lexicon.outside)
        known = _loose_numbers(trajectory, sources)
        found = [f"week {week}" for week in sorted(_find_weeks_beyond(trajectory, sources, answer, self.lexicon.weeks))]
        said = fold("\n".join([*_texts(trajectory, sources), *sources.abroad]))
        told = f"{trajectory.task.report}\n{trajectory.task.about}"
        for sentence in read_sentences(answer):
            found += check_values(sentence, sources, known)
            found += check_comparisons(sentence, sources)
            found += check_importance(sentence, sources)
            found += check_standing(sentence, sources)
            found += check_rules(sentence, sources)
            found += check_events(sentence, said)
            found += check_plan(sentence, sources, self.lexicon, told)
        told_of = {fact.subject for fact in sources.of("behaviour")}
        subjects = _read_subjects(self.lexicon)
        groups = [names for names in self.lexicon.features if names and subjects.behaviour(names[0]) not in told_of]
        found += [
            f"“{name}”"
            for name in find_unknown_names(answer, "\n".join([*_texts(trajectory, sources), *sources.abroad]), groups)
        ]
        return tuple(defuse(complaint) for complaint in dict.fromkeys(found))


@lru_cache(maxsize=16)
def _read_subjects(lexicon: Lexicon) -> Subjects:
    return Subjects(lexicon)


def _texts(trajectory: Trajectory, sources: AnswerSources) -> Iterator[str]:
    """All that was said before the answer: sources, the question and earlier exchanges."""
    task = trajectory.task
    yield from (task.report, task.about, task.question, *sources.texts)
    for each in task.history:
        yield from (each.question, each.answer)


def _find_weeks_beyond(trajectory: Trajectory, sources: AnswerSources, answer: str, last: int) -> frozenset[int]:
    """The weeks of an answer that lie outside the course and that no source names."""
    named = frozenset().union(*map(weeks, _texts(trajectory, sources)))
    said = {int(number) for number in _PLAIN_WEEK.findall(answer)} & weeks(answer)
    return frozenset(week for week in said - named if week == 0 or week > last)


def _loose_numbers(trajectory: Trajectory, sources: AnswerSources) -> frozenset[float]:
    """Numbers of texts that say not what they are of: the question, rules, passages, exercises."""
    texts = [*_texts(trajectory, sources), *sources.abroad]
    return frozenset(amount.value for text in texts for amount in read_amounts(fold(text)))


def check_events(sentence: ParsedSentence, said_before: str) -> Iterator[str]:
    """A phrase for an event of which no word was said before. said_before: all sources and questions, folded."""
    for event in _WORDS["event"].finditer(sentence.text):
        words = event[0].split()
        verb = words[-1] if words[:2] == ["you", "were"] else max(words, key=len)
        supposed = _WORDS["unsure"].search(sentence.text[max(0, event.start() - 25) : event.start()])
        known = re.search(rf"\b{re.escape(verb[:5])}", said_before)
        if not known and not (supposed and "flu" not in event[0]) and "?" not in sentence.text:
            yield f"“{sentence.raw[event.start() : event.end()]}”"
            return


def find_unknown_names(answer: str, known: str, groups: Sequence[Sequence[str]]) -> list[str]:
    """Names in the answer of which no synonym is in `known`; the longest name wins where names overlap."""
    rest, plain, unknown = answer, fold(known), []
    by_length = sorted(((name, group) for group in groups for name in group), key=lambda pair: -len(pair[0]))
    folded = fold(answer)
    for name, group in by_length:
        if fold(name) in folded and (pattern := _pattern(name)).search(rest):
            rest = pattern.sub(" ", rest)
            if not any(_is_said(synonym, known, plain) for synonym in group):
                unknown.append(name)
    return unknown


def _is_said(name: str, known: str, plain: str) -> bool:
    return fold(name) in plain and bool(_pattern(name).search(known))


def _pattern(name: str) -> re.Pattern[str]:
    flags = re.NOFLAG if name.isupper() else re.IGNORECASE
    return re.compile(rf"(?<!\w){re.escape(name).replace(chr(39), '[’' + chr(39) + ']')}(?!\w)", flags)
