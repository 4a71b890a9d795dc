"""Checks whether a feedback report agrees with the data it speaks of.

It shares no judgement with the composition, so what one gets wrong the other can notice. What it cannot read is
refused: a sentence on the student names a behaviour and a concluded week, or is of a kind listed in claims.toml. Not
covered: whether advice is good, general reasons why something matters, and tone.
"""

import re
from collections.abc import Iterator, Sequence

from data.catalogue import load_catalogue
from data.course import Course, Student
from data.reports.claims_course import check_actions, check_course
from data.reports.claims_values import Facts, check_values
from data.reports.phrasebook import THEORY_PARTS, read_words
from data.reports.sentences import ReportSentence, compile_claim, compile_table, read_sentences
from data.standing import whole

_NAME = re.compile(r"\b(?:[A-Z][a-z]+){2,}[A-Za-z]*\b|\b[a-z]+(?:_[a-z]+)+\b")
_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b(?:\s+([\w’'-]+))?", re.IGNORECASE)
_RESULTS = {"CompetencyStrength", "CompetencyAlignment", "StudentShape"}
_ONLY_OF_WHAT_WAS = ("a number in words", "what holds always or never is not known")  # fine in advice


def find_false_claims(report: str, student: Student, course: Course) -> list[str]:
    """What is wrong with a report, each with its sentence; empty when every statement agrees with the data."""
    facts, sentences = Facts(student, course), read_sentences(report, course)
    wrong = [*_check_form(report), *check_actions(sentences, course), *_check_silence(sentences, facts)]
    wrong += _check_among_sentences(sentences, facts)
    for one in sentences:
        wrong += [f"{reason}: {one.text}" for reason in _check_sentence(one, facts)]
    return wrong


def list_parts(report: str) -> tuple[str, ...]:
    """The names in bold, in their order."""
    return tuple(re.findall(r"\*\*([^*:]+):?\*\*", report))


def _check_sentence(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    for match in compile_claim("never_said").finditer(sentence.plain):
        yield f"must not be said ({match.group()})"
    yield from _check_marks(sentence, facts) if _is_about_marks(sentence) else check_values(sentence, facts)
    yield from check_open(sentence, facts)
    yield from check_course(sentence, facts.course)
    yield from _check_names(sentence, facts)
    yield from _check_explanation(sentence, facts)


def _check_form(report: str) -> Iterator[str]:
    if list_parts(report) not in THEORY_PARTS.values():
        yield "the parts named in bold are not those of one theory"
    for match in _NAME.finditer(report):
        if "_" in match.group() or match.group() in load_catalogue():
            yield f"a technical name: {match.group()}"


def check_open(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """Complaints about what cannot be held against the data."""
    for reason, pattern in compile_table("refused").items():
        match = pattern.search(sentence.plain)
        if match and not (sentence.step and reason in _ONLY_OF_WHAT_WAS):
            yield f"{reason} ({match.group()})"
    if sentence.step or any(facts.is_over(week) for _, week in sentence.pairs):
        return
    rest = compile_claim("turns").sub(lambda match: "_" * len(match.group()), sentence.plain)
    if match := compile_claim("among_others").search(rest):
        yield f"a place among others without behaviour and week ({match.group()})"
    if sentence.features:
        if not compile_claim("decided").search(sentence.plain):
            yield f"{sentence.features[0][0].label}: name the week"
        return
    harmless = read_words("claims.toml")["after_you"]["words"].split()
    for match in _YOU.finditer(rest):
        word = (match[1] or "_").lower()
        if not word.startswith("_") and word not in harmless:
            yield f"nothing in the data bears this out ({match.group()}): name a behaviour and a week, or leave it out"


def _check_names(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """Only behaviours and weeks that the explanation knows may be named, in a way that makes sense of them."""
    places = facts.enough | facts.weighing.keys()
    names = {name for name, _ in places}
    for feature, _ in sentence.features:
        if feature.name not in names:
            yield f"{feature.label} is not part of the explanation"
    for feature, week in () if sentence.step else sentence.pairs:
        place = feature.name, week
        if not facts.is_over(week):
            yield f"week {week} is not over yet"
        elif place not in places:
            yield f"{feature.label} in week {week} is not part of the explanation"
        elif facts.fitting and place not in facts.fitting | facts.enough:
            # Such an importance is no finding while there are others.
            yield f"the explanation and the value of {feature.label} in week {week} point in different directions"


def _check_explanation(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """What is said to be enough, heaviest or recent, the status, and whether there is an explanation at all."""
    named = {(feature.name, week) for feature, week in sentence.pairs}
    done = [week for _, week in named if facts.is_over(week)]
    last = facts.course.weeks_done
    late_weighing, late_fitting = (any(week > last - 2 for _, week in of) for of in (facts.weighing, facts.fitting))
    claims = (
        ("not_enough", facts.enough, "there are points that alone are enough"),
        ("not_explained", facts.student.explained, "there is an explanation for this student"),
        ("heaviest", named and facts.heaviest not in named, "something else weighs more"),
        ("latest", done and max(done) != last, f"the latest concluded week is week {last}"),
        ("unclear", late_fitting, "the last two weeks do show a direction"),
        ("quiet", late_weighing and not sentence.says("unclear"), "something in the last two weeks does weigh"),
    )
    yield from (reason for words, is_wrong, reason in claims if is_wrong and sentence.says(words))
    wrong_news = compile_claim("bad_news" if facts.student.predicted == "pass" else "good_news")
    if (match := wrong_news.search(sentence.text)) and not sentence.step:
        yield f"{match.group()!r} does not fit the outlook"
    if named and not sentence.step and compile_claim("enough").search(sentence.plain):
        if not named <= facts.enough:
            yield "this alone is not known to be enough"
        elif named != facts.enough and not sentence.says("one_of_some"):
            yield "these points are enough only together with others"
    if sentence.part == "Controllable factors":
        yield from (f"{one.label} is a result" for one, _ in sentence.features if one.name in _RESULTS)
    if sentence.part == "Recent events" and any(week <= last - 2 for week in done):
        yield f"recent are weeks {last - 1} and {last}"


def _check_among_sentences(sentences: Sequence[ReportSentence], facts: Facts) -> Iterator[str]:
    """ "Again" needs another week of the same; "few others" a value told there that nine in ten stay clear of."""
    told = [(one.part, feature, week) for one in sentences for feature, week in one.pairs if facts.is_over(week)]
    for one in sentences:
        if one.says("again") and one.about is not None:
            feature, week = one.about
            if not any(feature == other and week != another for _, other, another in told):
                yield f"{feature.label} was told of no other week: {one.text}"
        rare = any(part == one.part and facts.is_rare((feature.name, week)) for part, feature, week in told)
        if one.part == "Abnormal causes" and one.says("rare") and not rare:
            yield f"this is not that rare in the class: {one.text}"


def _is_about_marks(sentence: ReportSentence) -> bool:
    """Whether a sentence speaks of marks and of no behaviour."""
    return not sentence.features and bool(compile_claim("marks").search(sentence.plain))


def _check_marks(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """Complaints about the numbers of a sentence on marks, and about the side that it puts them on."""
    shares = list(compile_claim("share_of_marks").finditer(sentence.plain))
    pass_marks = list(compile_claim("mark_to_pass").finditer(sentence.plain))
    earned, graded = facts.marks.shown
    pass_mark = whole(facts.marks.pass_mark)
    for match in shares:
        if (int(match[1]), int(match[2])) != (earned, graded):
            yield f"the marks so far are {earned} of {graded} percent, not {match.group()}"
    for match in pass_marks:
        if int(match[1]) != pass_mark:
            yield f"the pass mark is {pass_mark} percent, not {match[1]}"
    if 2 * len(shares) + len(pass_marks) < len(sentence.quantities):
        yield 'a number beside the marks; say them as "27 of 36 percent" and "the pass mark of 60 percent"'
    keeps_pace, below_pace = sentence.says("keep_pace"), sentence.says("below_pace")
    if keeps_pace == below_pace:
        yield 'say of the marks that they "keep pace with the pass mark" or "are below the pace" for it'
    elif facts.marks.keeps_pace is not keeps_pace:
        yield f"the marks so far {_say_pace(facts.marks.keeps_pace)} the pass mark"


def _check_silence(sentences: Sequence[ReportSentence], facts: Facts) -> Iterator[str]:
    """Complain of a report that gives only one side where the marks and the outlook disagree."""
    told = any(_is_about_marks(one) and compile_claim("share_of_marks").search(one.plain) for one in sentences)
    if facts.marks.disagrees(facts.student) and not told:
        earned, graded = facts.marks.shown
        yield (
            f"the marks so far, {earned} of {graded} percent, {_say_pace(facts.marks.keeps_pace)} the pass mark of "
            f"{whole(facts.marks.pass_mark)} percent and disagree with the rest: the report must say so"
        )


def _say_pace(keeps_pace: bool | None) -> str:
    return {True: "keep pace with", False: "are below the pace for", None: "are too close to call against"}[keeps_pace]
