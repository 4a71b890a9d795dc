"""Whether the student passes: what an answer says, against the status of the grade, the prediction and the report."""

import re
from collections.abc import Iterator

from scribe.grounding.amounts import read_number
from scribe.grounding.facts import AnswerSources
from scribe.grounding.sentences import ParsedSentence
from scribe.grounding.words import compile_phrases, fold, read_table

_WORDS = compile_phrases("standing")
_NUMBER = r"(\d+(?:[.,]\d+)?)(?: more| another| other)?(?: ?%| per ?cent| points?| pour ?cent)"
_ROLES = {name: re.compile(said.replace("{number}", _NUMBER)) for name, said in read_table("roles").items()}


def check_standing(sentence: ParsedSentence, sources: AnswerSources) -> Iterator[str]:
    """A phrase for what a sentence says of passing if the sources say otherwise."""
    status = sources.standing.get("status", "")
    text = sentence.text
    if (
        (said := _WORDS["reached"].search(text))
        and _WORDS["pass"].search(text)
        and not _denied(text, said)
        and "reached" not in status
        and (status or not sources.missed)
    ):
        yield _tell(sentence, said, "the status says otherwise" if status else "nothing says that it is certain")
    if (said := _WORDS["lost"].search(text)) and not _denied(text, said) and "out of reach" not in status:
        yield _tell(sentence, said, "a pass is still possible" if status else "nothing says so")
    yield from _check_roles(sentence, sources)
    outlook = _outlook(sources)
    for pattern, wrong in ((_WORDS["good"], "fail"), (_WORDS["bad"], "pass")):
        if outlook == wrong and (said := pattern.search(text)) and not _denied(text, said):
            yield _tell(sentence, said, f"the outlook is {wrong}")


def _check_roles(sentence: ParsedSentence, sources: AnswerSources) -> Iterator[str]:
    """A figure that is said to be missing, earned or needed on average, and is not."""
    grade = {name: read_number(told.split()[0]) for name, told in sources.standing.items() if told[:1].isdigit()}
    text = sentence.undated
    other = "_" in text or _WORDS["other_whole"].search(text)
    unclear = not _WORDS["suffices"].search(text) or len(sentence.amounts) > 2
    for role, pattern in _ROLES.items():
        value = grade.get(role)
        if value is None or (other and role != "earned") or (unclear and role == "average_needed_in_open_work"):
            continue
        for said in pattern.finditer(text):
            figure = next(number for each in said.groups() if each and (number := read_number(each)) is not None)
            if abs(figure - value) >= (4.6 if _WORDS["about"].search(said[0]) else 1.01):
                yield f"“{sentence.raw[said.start() : said.end()]}” ({role.replace('_', ' ')}: {value:g} percent)"
                return


def _outlook(sources: AnswerSources) -> str:
    """What the sources expect: pass or fail, or nothing where they are silent or disagree."""
    report = fold(sources.report)
    bad, good = bool(_WORDS["report_bad"].search(report)), bool(_WORDS["report_good"].search(report))
    told = sources.predicted or ({"fail"} if bad else set()) | ({"pass"} if good else set())
    return next(iter(told)) if len(told) == 1 else ""


def _denied(text: str, said: re.Match[str]) -> bool:
    return bool(_WORDS["not"].search(text[max(0, said.start() - 30) : said.start()]) or text.endswith("?"))


def _tell(sentence: ParsedSentence, said: re.Match[str], why: str) -> str:
    return f"“{sentence.raw[said.start() : said.end()]}” ({why})"
