"""Whether the student passes: what an answer says, against the status of the grade, the prediction and the report."""

import re
from collections.abc import Iterator

from scribe.grounding.amounts import read_number
from scribe.grounding.facts import AnswerSources
from scribe.grounding.sentences import ParsedSentence
from scribe.grounding.words import compile_phrases, fold

_WORDS = compile_phrases("standing")


_N = r"(\d+(?:[.,]\d+)?)(?: more| another| other)?(?: ?%| per ?cent| points?| pour ?cent)"
_ROLES = {
    "missing": rf"{_N} (?:still |now |only )?(?:stand|separat\w+|are missing|is missing|missing|short|away|lacking|"
    rf"more (?:to|and|for|is|are)|de plus|vous (?:separ|manqu)\w+)|(?:short by|missing|lack\w*|manqu\w+|still need|"
    rf"need (?:only |just )?(?:another )?|another|more than|encore) (?:now |still |more |only |just |encore |plus |"
    rf"que |plus que |about |les? )*{_N}(?! (?:on|en|in|of|dans|de) (?:average|moyenne|every\w*|all|the open|"
    rf"the rest|tout|ce qui))",
    "earned": rf"(?:you (?:have|hold|'ve)|have (?:earned|collected|gathered)|(?:avez|acquis|obtenu|"
    rf"gagne)) (?:already |so far |now |earned |collected |gathered |deja |obtenu |acquis |gagne |just |"
    rf"only )*{_N}(?! (?:of the points|more|to))(?=.{{0,12}}(?: of the grade| already| so far| in the bag| earned|"
    rf" collected| deja| de la note| en poche))|{_N}(?: of (?:the|your) grade)? (?:already )?(?:earned|collected|"
    rf"in the bag|acquis|en poche)",
    "average_needed_in_open_work": rf"(?:average|averaging|moyenne|on average) (?:of |de |d'|about |only |just |"
    rf"environ )*{_N}|{_N}(?: en moyenne| de moyenne| on average)|(?:reach|get|make|score|atteig\w+|"
    rf"obten\w+) {_N} (?:in|on|"
    rf"of|dans|sur|en) (?:everything|all|the (?:open|rest|remaining)|what|tout|ce qui|le reste)",
}
"""How people say which part of the grade a figure is."""


def _check_roles(sentence: ParsedSentence, sources: AnswerSources) -> Iterator[str]:
    """A figure that is said to be missing, earned or needed on average, and is not."""
    grade = {name: read_number(told.split()[0]) for name, told in sources.standing.items() if told[:1].isdigit()}
    text = sentence.undated
    for role, pattern in _ROLES.items():
        value = grade.get(role)
        if value is None or (
            re.search(
                r"\b(?:week|semaine|class|classe|midterm|quiz\w*|homework|devoir\w*|late|day|jour|without|sans|"
                r"resterait|remain)\b|_",
                text,
            )
            and role != "earned"
        ):
            continue
        for said in re.finditer(pattern, text):
            figure = next(number for each in said.groups() if each and (number := read_number(each)) is not None)
            near = abs(figure - value) < (
                4.6
                if re.search(
                    r"about|some|around|environ|roughly|nearly|almost",
                    said[0],
                )
                else 1.01
            )
            if not near and (
                role != "average_needed_in_open_work" or (_WORDS["suffices"].search(text) and len(sentence.amounts) < 3)
            ):
                yield f"“{sentence.raw[said.start() : said.end()]}” ({role.replace('_', ' ')}: {value:g} percent)"
                return


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


def _outlook(sources: AnswerSources) -> str:
    """What the sources expect: pass or fail, or nothing where they are silent or disagree."""
    report = fold(sources.report)
    bad, good = bool(_WORDS["report_bad"].search(report)), bool(_WORDS["report_good"].search(report))
    if len(sources.predicted) == 1:
        return next(iter(sources.predicted))
    return ("fail" if bad else "pass") if bad != good and not sources.predicted else ""


def _denied(text: str, said: re.Match[str]) -> bool:
    return bool(_WORDS["not"].search(text[max(0, said.start() - 30) : said.start()]) or text.endswith("?"))


def _tell(sentence: ParsedSentence, said: re.Match[str], why: str) -> str:
    return f"“{sentence.raw[said.start() : said.end()]}” ({why})"
