"""Checks whether a feedback report agrees with the data it speaks of.

The checker reads a report (see `sentences`) and holds each statement against the student's rows and the course. It
shares no judgement with the composition in this package, so what one gets wrong the other can notice. It reads reports
that a language model wrote or a person edited just as well, and asks for plainer words where it cannot read.

Covered: values, whose they are, comparisons and places in the class (`claims_values`); which behaviours and weeks may
be named at all; what alone is enough, what repeats, what is recent; the status; the marks where they and the outlook
disagree; weeks, topics and the two actions (`claims_course`); words that must not be said, and sentences on the student
that are of no known kind (`claims_open`). Not covered: whether advice is good, general reasons why something matters,
tone, and what is put beside a true value without any of these.
"""

import re
from collections.abc import Iterator, Sequence

from data.catalogue import load_catalogue
from data.course import Course, Student
from data.reports.claims_course import check_actions, check_course
from data.reports.claims_open import check_open
from data.reports.claims_values import check_values
from data.reports.facts import Facts
from data.reports.lexicon import compile_expression, compile_words
from data.reports.phrasebook import THEORY_PARTS
from data.reports.sentences import ReportSentence, read_sentences
from data.standing import whole

_NAME = re.compile(r"\b(?:[A-Z][a-z]+){2,}[A-Za-z]*\b|\b[a-z]+(?:_[a-z]+)+\b")
_SHARE = re.compile(r"\b(\d+) of (?:the )?(\d+) percent\b", re.IGNORECASE)
_PASS_MARK = re.compile(r"\bpass mark (?:of|is|at|stands at|being) (\d+) percent\b", re.IGNORECASE)
_RESULTS = {"CompetencyStrength", "CompetencyAlignment", "StudentShape"}


class Checker:
    """Checks reports of one course; the class's medians are found once, which makes the second report quicker."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._medians: dict[tuple[str, int], float | None] = {}

    def __call__(self, report: str, student: Student) -> list[str]:
        """What is wrong with a report, each with its sentence; empty when every statement agrees with the data."""
        facts = Facts(student, self._course, self._medians)
        sentences = read_sentences(report, self._course)
        wrong = [*_check_form(report), *check_actions(sentences, self._course), *_check_silence(sentences, facts)]
        wrong += [*_check_repeats(sentences, facts), *_check_rarity(sentences, facts)]
        for one in sentences:
            wrong += [f"{reason}: {one.text}" for reason in _check_sentence(one, facts)]
        return wrong


def list_parts(report: str) -> tuple[str, ...]:
    """The names in bold, in their order."""
    return tuple(re.findall(r"\*\*([^*:]+):?\*\*", report))


def _check_sentence(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    for match in compile_expression("never_said").finditer(sentence.plain):
        yield f"must not be said ({match.group()})"
    yield from _check_marks(sentence, facts) if _is_about_marks(sentence) else check_values(sentence, facts)
    yield from check_open(sentence, facts)
    yield from check_course(sentence, facts.course)
    yield from _check_names(sentence, facts)
    yield from _check_robustness(sentence, facts)
    yield from _check_outlook(sentence, facts)
    yield from _check_recency(sentence, facts)


def _check_form(report: str) -> Iterator[str]:
    if list_parts(report) not in THEORY_PARTS.values():
        yield "the parts named in bold are not those of one theory"
    for match in _NAME.finditer(report):
        if "_" in match.group() or match.group() in load_catalogue():
            yield f"a technical name: {match.group()}"


def _check_names(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """Only behaviours and weeks that the explanation knows may be named, in a way that makes sense of them."""
    places = facts.enough | facts.weighing.keys()
    names = {name for name, _ in places}
    for feature, _ in sentence.features:
        if feature.name not in names:
            yield f"{feature.label} is not part of the explanation"
    if sentence.step:
        return
    for feature, week in sentence.pairs:
        place = feature.name, week
        if not facts.is_over(week):
            yield f"week {week} is not over yet"
        elif place not in places:
            yield f"{feature.label} in week {week} is not part of the explanation"
        elif facts.fitting and place not in facts.fitting | facts.enough:
            # Such an importance is no finding while there are others.
            yield f"the explanation and the value of {feature.label} in week {week} point in different directions"


def _check_robustness(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """What alone keeps the prediction must be the sufficient points, all of them or said to be some."""
    if compile_words("not_enough").search(sentence.text) and facts.enough:
        yield "there are points that alone are enough"
    if sentence.step or not sentence.pairs or not compile_words("enough").search(sentence.plain):
        return
    named = {(feature.name, week) for feature, week in sentence.pairs}
    if not named <= facts.enough:
        yield "this alone is not known to be enough"
    elif named != facts.enough and not compile_words("one_of_some").search(sentence.text):
        yield "these points are enough only together with others"


def _check_outlook(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """Status, weight, what one can decide, and whether there is an explanation at all."""
    wrong_news = compile_words("bad_news" if facts.student.predicted == "pass" else "good_news")
    if (match := wrong_news.search(sentence.text)) and not sentence.step:
        yield f"{match.group()!r} does not fit the outlook"
    if facts.student.explained and compile_words("not_explained").search(sentence.text):
        yield "there is an explanation for this student"
    if sentence.part == "Controllable factors":
        yield from (f"{one.label} is a result" for one, _ in sentence.features if one.name in _RESULTS)
    if compile_words("heaviest").search(sentence.text) and sentence.pairs:
        top = max(facts.student.importances, key=lambda one: one.importance, default=None)
        if top is None or not any((one.name, week) == (top.feature, top.week) for one, week in sentence.pairs):
            yield "something else weighs more"


def _check_recency(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """What is called recent, and what the last two weeks are said not to show."""
    last = facts.course.weeks_done
    done = [week for _, week in sentence.pairs if facts.is_over(week)]
    if compile_words("latest").search(sentence.text) and done and max(done) != last:
        yield f"the latest concluded week is week {last}"
    if sentence.part == "Recent events" and any(week <= last - 2 for week in done):
        yield f"recent are weeks {last - 1} and {last}"
    if compile_words("unclear").search(sentence.text):
        if any(week > last - 2 for _, week in facts.fitting):
            yield "the last two weeks do show a direction"
    elif compile_expression("quiet").search(sentence.text) and any(week > last - 2 for _, week in facts.weighing):
        yield "something in the last two weeks does weigh"


def _check_rarity(sentences: Sequence[ReportSentence], facts: Facts) -> Iterator[str]:
    """ "Few others show this" needs a value, told in the same part, that nine in ten of the class stay clear of."""
    for one in sentences:
        if one.part == "Abnormal causes" and compile_words("rare").search(one.text):
            told = [pair for other in sentences if other.part == one.part for pair in other.pairs]
            if not any(facts.is_rare((feature.name, week)) for feature, week in told):
                yield f"this is not that rare in the class: {one.text}"


def _check_repeats(sentences: Sequence[ReportSentence], facts: Facts) -> Iterator[str]:
    """ "It shows again in week 4" needs another week in which the same was told."""
    told = {(feature, week) for one in sentences for feature, week in one.pairs if facts.is_over(week)}
    for one in sentences:
        if compile_words("again").search(one.text) and one.about is not None:
            feature, week = one.about
            if not any(feature == other and week != another for other, another in told):
                yield f"{feature.label} was told of no other week: {one.text}"


def _is_about_marks(sentence: ReportSentence) -> bool:
    """Whether a sentence speaks of marks and of no behaviour."""
    return not sentence.features and bool(compile_words("marks").search(sentence.plain))


def _check_marks(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """Complaints about the numbers of a sentence on marks, and about the side that it puts them on."""
    known = facts.marks.shown, whole(facts.marks.pass_mark)
    said = 0
    for match in _SHARE.finditer(sentence.plain):
        said += 2
        if (int(match[1]), int(match[2])) != known[0]:
            yield f"the marks so far are {known[0][0]} of {known[0][1]} percent, not {match.group()}"
    for match in _PASS_MARK.finditer(sentence.plain):
        said += 1
        if int(match[1]) != known[1]:
            yield f"the pass mark is {known[1]} percent, not {match[1]}"
    if said < len(sentence.quantities):
        yield 'a number beside the marks; say them as "27 of 36 percent" and "the pass mark of 60 percent"'
    enough, short = (bool(compile_words(name).search(sentence.text)) for name in ("keep_pace", "below_pace"))
    if enough == short:
        yield 'say of the marks that they "keep pace with the pass mark" or "are below the pace" for it'
    elif facts.marks.keeps_pace is not enough:
        yield f"the marks so far {_say_pace(facts.marks.keeps_pace)} the pass mark"


def _check_silence(sentences: Sequence[ReportSentence], facts: Facts) -> Iterator[str]:
    """Complain of a report that gives only one side where the marks and the outlook disagree."""
    told = any(_is_about_marks(one) and _SHARE.search(one.plain) for one in sentences)
    if facts.marks.disagrees(facts.student) and not told:
        earned, graded = facts.marks.shown
        yield (
            f"the marks so far, {earned} of {graded} percent, {_say_pace(facts.marks.keeps_pace)} the pass mark of "
            f"{whole(facts.marks.pass_mark)} percent and disagree with the rest: the report must say so"
        )


def _say_pace(keeps_pace: bool | None) -> str:
    return {True: "keep pace with", False: "are below the pace for", None: "are too close to call against"}[keeps_pace]
