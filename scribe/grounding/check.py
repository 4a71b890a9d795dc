"""The check of one answer: its sentences, one by one, against all that the sources say."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from scribe.grounding.amounts import read_amounts
from scribe.grounding.comparisons import check_comparisons, check_importance
from scribe.grounding.facts import read_sources
from scribe.grounding.plan import check_plan
from scribe.grounding.rules import check_rules
from scribe.grounding.sentences import ParsedSentence, read_sentences
from scribe.grounding.standing import check_standing
from scribe.grounding.subjects import Lexicon, Subjects
from scribe.grounding.values import check_values
from scribe.grounding.weeks import weeks
from scribe.grounding.words import compile_phrases, fold
from scribe.messages import defuse
from scribe.trajectory import Exchange, Task, Trajectory

_WORDS = compile_phrases("events")
_ENDLESS = re.compile(r"(\S{80})\S+|([^\S\n]{4})[^\S\n]+|(\n[^\S\n]*\n)(?:[^\S\n]*\n)+")
_PLAIN_WEEK = re.compile(r"\b(?<!no )(?<!pas de )(?:week|semaine) (\d{1,4})\b(?![.,]\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Grounding:
    """The check for one course; call it with a trajectory and the answer that wants to leave."""

    lexicon: Lexicon

    def __call__(self, trajectory: Trajectory, answer: str) -> Sequence[str]:
        """What the answer claims that nothing supports, as short phrases; empty if all is well or cannot be decided."""
        task, subjects, answer = _cut_task(trajectory.task), _read_subjects(self.lexicon), cut_runs(answer)
        trajectory = replace(trajectory, task=task)
        sources = read_sources(trajectory, subjects, self.lexicon.outside)
        earlier = (text for each in task.history for text in (each.question, each.answer))
        texts = [task.report, task.about, task.question, *map(cut_runs, sources.texts), *earlier]
        named = frozenset().union(*map(weeks, texts))
        said_before = "\n".join([*texts, *sources.abroad])
        # Numbers of texts that say not what they are of: the question, rules, passages, exercises.
        known = frozenset(each.value for text in [*texts, *sources.abroad] for each in read_amounts(fold(text)))
        said = {int(number) for number in _PLAIN_WEEK.findall(answer)} & weeks(answer)
        found = [f"week {week}" for week in sorted(said - named) if week == 0 or week > self.lexicon.weeks]
        for sentence in read_sentences(answer):
            found += check_values(sentence, sources, known)
            found += check_comparisons(sentence, sources)
            found += check_importance(sentence, sources)
            found += check_standing(sentence, sources)
            found += check_rules(sentence, sources)
            found += check_events(sentence, fold(said_before))
            found += check_plan(sentence, sources, self.lexicon, f"{task.report}\n{task.about}")
        told_of = {fact.subject for fact in sources.of("behaviour")}
        groups = [names for names in self.lexicon.features if names and subjects.behaviour(names[0]) not in told_of]
        found += [f"“{name}”" for name in find_unknown_names(answer, said_before, groups)]
        return tuple(defuse(complaint) for complaint in dict.fromkeys(found))


@lru_cache(maxsize=64)
def cut_runs(text: str) -> str:
    """The text without what no language has: words of more than 80 signs, gaps of more than 4 blanks or 2 lines.

    Several patterns look at each sign of a run from each sign before it; of 20,000 digits that takes seconds.
    """
    return _ENDLESS.sub(lambda run: run[run.lastindex or 0], text)


def _cut_task(task: Task) -> Task:
    history = tuple(Exchange(cut_runs(each.question), cut_runs(each.answer)) for each in task.history)
    return replace(task, report=cut_runs(task.report), question=cut_runs(task.question), history=history)


@lru_cache(maxsize=16)
def _read_subjects(lexicon: Lexicon) -> Subjects:
    return Subjects(lexicon)


def check_events(sentence: ParsedSentence, said_before: str) -> Iterator[str]:
    """A phrase for an event of which no word was said before. said_before: all sources and questions, folded."""
    for event in _WORDS["event"].finditer(sentence.text):
        verb = max(event[0].split(), key=len)
        supposed = _WORDS["unsure"].search(sentence.text[max(0, event.start() - 25) : event.start()])
        if not supposed and "?" not in sentence.text and not re.search(rf"\b{re.escape(verb[:5])}", said_before):
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
            if not any(fold(each) in plain and _pattern(each).search(known) for each in group):
                unknown.append(name)
    return unknown


def _pattern(name: str) -> re.Pattern[str]:
    flags = re.NOFLAG if name.isupper() else re.IGNORECASE
    return re.compile(rf"(?<!\w){re.escape(name).replace(chr(39), '[’' + chr(39) + ']')}(?!\w)", flags)
