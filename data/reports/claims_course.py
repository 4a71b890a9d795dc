"""Checks the weeks, topics, titles and prerequisites of a report, and its two actions, against the course."""

import itertools
import re
from collections.abc import Iterator

from data.course import Course, follow_prerequisites
from data.reports.phrasebook import NUMBERS
from data.reports.sentences import ReportSentence, compile_claim, list_weeks

_BRACKET = re.compile(r" \(([^)]+)\)")
_NAME_BEFORE_WEEK = re.compile(r"\b([A-ZÀ-Ý][\w'’/-]*(?: [\w'’/&-]+){0,4}?) from week (\d+)\b")


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
    for number, title in sentence.titles:
        names = {
            name
            for week in course.plan
            if week.number == number
            for name in (week.title, week.title_en, f"{week.title} – {week.title_en}", *week.topics, *week.topics_en)
        }
        parts = {each.strip() for each in re.split(r", (?=[A-ZÀ-Ý])", title)}
        if title not in names and not parts <= names:
            yield f"{title!r} is not what week {number} is about"


def _check_places(sentence: ReportSentence) -> Iterator[str]:
    """A topic belongs to the week put right behind it, or else to a week named in the sentence."""
    for topic in sentence.topics:
        put = compile_claim("put_in").match(sentence.text, topic.end)
        weeks = (int(put[1]),) if put else sentence.weeks
        if not set(topic.weeks) & set(weeks):
            taught = " and ".join(map(str, topic.weeks))
            yield f"{topic.name} is taught in week {taught}, not in {list_weeks(weeks, 'or')}"
    for match in _NAME_BEFORE_WEEK.finditer(sentence.text):
        if sentence.step and not any(one.end > match.start(1) for one in sentence.topics if one.end <= match.end()):
            yield f"{match[1]!r} is no topic of week {match[2]}"


def _check_translations(sentence: ReportSentence, course: Course) -> Iterator[str]:
    """A topic in brackets behind another is its translation."""
    same = {frozenset(pair) for week in course.plan for pair in zip(week.topics, week.topics_en, strict=False)}
    for topic in sentence.topics if same else ():
        bracket = _BRACKET.match(sentence.text, topic.end)
        if bracket and frozenset((topic.name, bracket[1])) not in same:
            yield f"{bracket[1]!r} is not the translation of {topic.name!r}"


def _check_links(sentence: ReportSentence, course: Course) -> Iterator[str]:
    """Two topics of different weeks that are tied together must be a prerequisite and what builds on it."""
    builds, text = compile_claim("builds"), sentence.text
    direct = builds.search(text)
    if not direct and not compile_claim("helps").search(text):
        return
    translated = [one for one in sentence.topics for other in sentence.topics if text[other.end : one.start] == " ("]
    topics = [one for one in sentence.topics if one not in translated]
    for one, two in itertools.pairwise(topics):
        between = text[one.end : two.start]
        if _needs(course, one.name, two.name) or (len(topics) > 2 and not builds.search(between)):
            continue
        if not _needs(course, two.name, one.name):
            if direct or not set(one.weeks) & set(two.weeks):
                yield f"neither of {one.name} and {two.name} builds on the other"
        elif builds.search(between) and not compile_claim("turned_round").search(between):
            yield f"{one.name} comes before {two.name} and cannot build on it"
    if len(topics) == 2 and direct:
        # "In week 9, X needs Y from week 7": X belongs to week 9, the week that is left.
        put = {one.name: match for one in topics if (match := compile_claim("put_in").match(text, one.end))}
        left = set(sentence.weeks) - {int(match[1]) for match in put.values()}
        for one in topics:
            if one.name not in put and left and not left & set(one.weeks):
                yield f"{one.name} is not taught in {list_weeks(sorted(left), 'or')}"


def _needs(course: Course, topic: str, needed: str) -> bool:
    """Whether a topic builds on another, directly or through others; English names count too."""
    original = {english: own for week in course.plan for own, english in zip(week.topics, week.topics_en, strict=False)}
    chain = follow_prerequisites(course, [original.get(topic, topic)])
    return original.get(needed, needed) in chain.direct | chain.further


def _check_counts(sentence: ReportSentence, course: Course) -> Iterator[str]:
    """Numbers of weeks in words: how many are over, how many are left."""
    left = course.weeks - course.weeks_done
    for claim, right in (("weeks_ahead", left), ("weeks_behind", course.weeks_done)):
        for match in compile_claim(claim).finditer(sentence.text):
            word = next(filter(None, match.groups())).lower()
            if (NUMBERS.index(word) if word in NUMBERS else int(word)) != right:
                yield f"{match.group()!r}: it should be {right}"
    if sentence.says("half") and course.weeks_done * 2 != course.weeks:
        yield f"{course.weeks_done} of {course.weeks} weeks are not half of the course"


def _check_feasibility(sentence: ReportSentence, course: Course) -> Iterator[str]:
    """No quiz in a week without quizzes, nothing for the week after the last."""
    coming = [week for week in sentence.weeks if course.weeks_done < week <= course.weeks]
    if not sentence.step or not coming:
        return
    quizzes = {week.number: week.quizzes for week in course.plan}
    week = coming[0]
    if sentence.says("quiz") and not quizzes[week] and not (sentence.says("early") and quizzes.get(week + 1, 0)):
        yield f"week {week} has no quiz"
    if sentence.says("next_week") and week == course.weeks:
        yield f"no week follows week {week}"
