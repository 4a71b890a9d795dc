"""Checks the weeks, topics, titles and prerequisites of a report, and its two actions, against the course."""

import itertools
import re
from collections.abc import Iterator, Mapping

from data.course import Course, follow_prerequisites
from data.reports.sentences import ReportSentence, TopicMention

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNT = rf"(?P<count>{'|'.join(_NUMBERS)}|\d+)"
_AHEAD = re.compile(
    rf"\b{_COUNT} (?:more )?weeks? (?:are |is )?(?:left|remain|to go|ahead|to come|(?:are |is )?still)", re.IGNORECASE
)
_BEHIND = re.compile(
    rf"\bafter {_COUNT} weeks?\b|\b(?P<count2>{'|'.join(_NUMBERS)}) weeks? (?:of [^.,;]*? )?(?:are |is )?"
    r"(?:behind|over|concluded|done)\b",
    re.IGNORECASE,
)
_HALF = re.compile(r"\bhalf\b(?! (?:an |a )?(?:hour|day|marathon))", re.IGNORECASE)
_BUILDS = re.compile(
    r"\b(?:builds? on|rests? on|relies on|rely on|depends? on|draws? on|needs?|uses?|requires?)\b", re.IGNORECASE
)
_TIED = re.compile(
    rf"{_BUILDS.pattern}|\b(?:review|reread|revisit|refresh|go back|look back|look again|prepare|get ready|help)\b",
    re.IGNORECASE,
)
# A topic and the week it is put in, perhaps with its translation between them: "Cadastre (Cadaster) from week 10".
_PUT_IN = re.compile(
    r"(?: \([^)]*\))?,?(?: (?:begins|starts|comes up|is next|is on the plan))? (?:from|of|in|for|during) week (\d+)\b",
    re.IGNORECASE,
)
_BRACKET = re.compile(r" \(([^)]+)\)")
_NAME_BEFORE_WEEK = re.compile(r"\b([A-ZÀ-Ý][\w'’/-]*(?: [\w'’/&-]+){0,4}?) from week (\d+)\b")
_QUIZ = re.compile(r"\bquiz", re.IGNORECASE)
_NEXT_WEEK = re.compile(r"\bfollowing week\b|\bweek after\b", re.IGNORECASE)
_EARLY = re.compile(r"\b(?:following|coming|ahead|early|next)\b", re.IGNORECASE)


def check_course(sentence: ReportSentence, course: Course) -> Iterator[str]:
    """Complaints about what a sentence says of the course."""
    for week in sentence.weeks:
        if not 1 <= week <= course.weeks:
            yield f"the course has weeks 1 to {course.weeks}, not week {week}"
    yield from _check_titles(sentence, course)
    yield from _check_places(sentence)
    yield from _check_translations(sentence, course)
    yield from _check_links(sentence, course)
    yield from _check_counts(sentence, course)
    yield from _check_feasibility(sentence, course)


def check_actions(sentences: list[ReportSentence], course: Course) -> Iterator[str]:
    """There are two numbered actions, each tied to a coming week and something it teaches."""
    steps = [one for one in sentences if one.step]
    if [one.step for one in steps] != [1, 2]:
        yield 'there must be two actions, in lines that begin with "1." and "2."'
    for one in steps:
        coming = [week for week in one.weeks if course.weeks_done < week <= course.weeks]
        if not coming:
            yield f"an action names no week from {course.weeks_done + 1} to {course.weeks}: {one.text}"
        elif not one.titles and not any(set(topic.weeks) & set(coming) for topic in one.topics):
            yield f"an action names no topic of its week: {one.text}"


def _check_titles(sentence: ReportSentence, course: Course) -> Iterator[str]:
    if not sentence.titles:
        return
    names: Mapping[int, set[str]] = {
        week.number: {week.title, week.title_en, f"{week.title} – {week.title_en}", *week.topics, *week.topics_en}
        for week in course.plan
    }
    for number, title in sentence.titles:
        parts = [each.strip() for each in re.split(r", (?=[A-ZÀ-Ý])", title)]
        known = names.get(number, set())
        if title not in known and not all(part in known for part in parts):
            yield f"{title!r} is not what week {number} is about"


def _check_places(sentence: ReportSentence) -> Iterator[str]:
    """A topic belongs to the week put right behind it, or else to a week named in the sentence."""
    for topic in sentence.topics:
        put = _PUT_IN.match(sentence.text, topic.end)
        weeks = (int(put[1]),) if put else sentence.weeks
        if not set(topic.weeks) & set(weeks):
            taught = " and ".join(map(str, topic.weeks))
            yield f"{topic.name} is taught in week {taught}, not in {_listed(weeks)}"
    for match in _NAME_BEFORE_WEEK.finditer(sentence.text):
        if sentence.step and not any(one.end > match.start(1) for one in sentence.topics if one.end <= match.end()):
            yield f"{match[1]!r} is no topic of week {match[2]}"


def _check_translations(sentence: ReportSentence, course: Course) -> Iterator[str]:
    """A topic in brackets behind another is its translation."""
    if not any(week.topics_en for week in course.plan):
        return
    same = {frozenset(pair) for week in course.plan for pair in zip(week.topics, week.topics_en, strict=False)}
    for topic in sentence.topics:
        bracket = _BRACKET.match(sentence.text, topic.end)
        if bracket and frozenset((topic.name, bracket[1])) not in same:
            yield f"{bracket[1]!r} is not the translation of {topic.name!r}"


def _check_links(sentence: ReportSentence, course: Course) -> Iterator[str]:
    """Two topics of different weeks that are tied together must be a prerequisite and what builds on it."""
    if not _TIED.search(sentence.text):
        return
    topics = [topic for topic in sentence.topics if not _is_translation(topic, sentence)]
    direct = _BUILDS.search(sentence.text)
    for one, two in itertools.pairwise(topics):
        if len(topics) > 2 and not _BUILDS.search(sentence.text[one.end : two.start]):
            continue
        if not _needs(course, one.name, two.name) and not _needs(course, two.name, one.name):
            if direct or not set(one.weeks) & set(two.weeks):
                yield f"neither of {one.name} and {two.name} builds on the other"
        elif not _needs(course, one.name, two.name) and _BUILDS.search(sentence.text[one.end : two.start]):
            yield from _check_direction(one, two, sentence)
    if len(topics) == 2 and direct:
        yield from _check_own_week(topics, sentence)


def _check_own_week(topics: list[TopicMention], sentence: ReportSentence) -> Iterator[str]:
    """ "In week 9, X needs Y from week 7": X belongs to week 9, the week that is left."""
    put = {topic.name: match for topic in topics if (match := _PUT_IN.match(sentence.text, topic.end))}
    left = set(sentence.weeks) - {int(match[1]) for match in put.values()}
    for topic in topics:
        if topic.name not in put and left and not left & set(topic.weeks):
            yield f"{topic.name} is not taught in {_listed(tuple(sorted(left)))}"


def _check_direction(one: TopicMention, two: TopicMention, sentence: ReportSentence) -> Iterator[str]:
    """ "Ideal filters from week 5, which Aliasing relies on" is fine, "Ideal filters relies on Aliasing" is not."""
    if not re.search(r"\b(?:which|that|as|because|since|where)\b|[;,.:]", sentence.text[one.end : two.start]):
        yield f"{one.name} comes before {two.name} and cannot build on it"


def _is_translation(topic: TopicMention, sentence: ReportSentence) -> bool:
    return any(sentence.text[other.end : topic.start] == " (" for other in sentence.topics)


def _needs(course: Course, topic: str, needed: str) -> bool:
    """Whether a topic builds on another, directly or through others; English names count too."""
    original = {english: own for week in course.plan for own, english in zip(week.topics, week.topics_en, strict=False)}
    chain = follow_prerequisites(course, [original.get(topic, topic)])
    return original.get(needed, needed) in chain.direct | chain.further


def _check_counts(sentence: ReportSentence, course: Course) -> Iterator[str]:
    """Numbers of weeks in words: how many are over, how many are left."""
    left = course.weeks - course.weeks_done
    counts = [(match, left) for match in _AHEAD.finditer(sentence.text)]
    counts += [(match, course.weeks_done) for match in _BEHIND.finditer(sentence.text)]
    for match, right in counts:
        word = (match["count"] or match.groupdict().get("count2") or "").lower()
        if word and (_NUMBERS.index(word) + 1 if word in _NUMBERS else int(word)) != right:
            yield f"{match.group()!r}: it should be {right}"
    if _HALF.search(sentence.text) and course.weeks_done * 2 != course.weeks:
        yield f"{course.weeks_done} of {course.weeks} weeks are not half of the course"


def _check_feasibility(sentence: ReportSentence, course: Course) -> Iterator[str]:
    """No quiz in a week without quizzes, nothing for the week after the last."""
    coming = [week for week in sentence.weeks if course.weeks_done < week <= course.weeks]
    if not sentence.step or not coming:
        return
    quizzes = {week.number: week.quizzes for week in course.plan}
    week = coming[0]
    ahead = _EARLY.search(sentence.text) and quizzes.get(week + 1, 0)
    if _QUIZ.search(sentence.text) and not quizzes[week] and not ahead:
        yield f"week {week} has no quiz"
    if _NEXT_WEEK.search(sentence.text) and week == course.weeks:
        yield f"no week follows week {week}"


def _listed(weeks: tuple[int, ...]) -> str:
    return " or ".join(f"week {week}" for week in weeks) or "no week"
