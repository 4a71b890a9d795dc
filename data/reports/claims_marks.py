"""Are the marks in a report the student's, and are marks and outlook both told where they disagree?"""

import re
from collections.abc import Iterator, Sequence

from data.reports.facts import Facts
from data.reports.reading import Sentence
from data.standing import whole

_MARKS = re.compile(r"\b(?:marks?|pass mark)\b", re.IGNORECASE)
_SHARE = re.compile(r"\b(\d+) of (?:the )?(\d+) percent\b", re.IGNORECASE)
_PASS_MARK = re.compile(r"\bpass mark (?:of|is|at|stands at|being) (\d+) percent\b", re.IGNORECASE)
_ENOUGH = re.compile(r"\bkeep(?:s|ing)? pace\b", re.IGNORECASE)
_SHORT = re.compile(r"\bbelow the pace\b", re.IGNORECASE)


def about_marks(sentence: Sentence) -> bool:
    """Whether a sentence speaks of marks and of no behaviour."""
    return not sentence.features and bool(_MARKS.search(sentence.plain))


def mark_faults(sentence: Sentence, facts: Facts) -> Iterator[str]:
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
    enough, short = bool(_ENOUGH.search(sentence.text)), bool(_SHORT.search(sentence.text))
    if enough == short:
        yield 'say of the marks that they "keep pace with the pass mark" or "are below the pace" for it'
    elif facts.marks.keeps_pace is not enough:
        yield f"the marks so far {_side(facts.marks.keeps_pace)} the pass mark"


def silence(sentences: Sequence[Sentence], facts: Facts) -> Iterator[str]:
    """A report that gives only one side where the marks and the outlook disagree."""
    if facts.marks.disagrees(facts.student) and not any(
        about_marks(one) and _SHARE.search(one.plain) for one in sentences
    ):
        earned, graded = facts.marks.shown
        side = _side(facts.marks.keeps_pace)
        yield (
            f"the marks so far, {earned} of {graded} percent, {side} the pass mark of "
            f"{whole(facts.marks.pass_mark)} percent and disagree with the rest: the report must say so"
        )


def _side(keeps_pace: bool | None) -> str:
    return {True: "keep pace with", False: "are below the pace for", None: "are too close to call against"}[keeps_pace]
