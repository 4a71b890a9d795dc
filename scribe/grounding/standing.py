"""Whether the student passes: what an answer says, against the status of the grade, the prediction and the report."""

import re
from collections.abc import Iterator

from scribe.grounding.amounts import read_number
from scribe.grounding.facts import Sources
from scribe.grounding.sentences import Sentence
from scribe.grounding.words import fold

_REACHED = re.compile(
    r"already (?:passed|guarantee\w*|enough|have what you need|through|secured|over the|reached the (?:pass|mark))|"
    r"(?:you have|you've) passed|pass is (?:already )?(?:yours|safe|certain|guaranteed|in the bag)|(?:enough|"
    r"points) (?:by now|for a pass|already)|already enough|no more points are missing|guarantees? you|"
    r"nothing more is missing|deja (?:reussi|atteint|depasse|gagne|acquis|valide|assure)|(?:est|"
    r"sont) deja (?:acquise?|depasse|atteint|assuree?|suffisants?)|reussite est (?:acquise|assuree)|"
    r"ne (?:vous )?manque plus rien"
)
_LOST = re.compile(
    r"out of (?:your )?reach|(?:could|can|would) no longer (?:bring|get|carry|lift|take)|not even .{0,30}(?:would|"
    r"could) (?:be enough|bring|suffice)|no longer (?:possible|bring|be reached|pass|within)|(?:cannot|can't|can not|"
    r"could not) (?:pass|be reached|reach the pass)|impossible (?:to|de) (?:pass|reach|reussir)|already failed|"
    r"too late to pass|hors (?:de )?(?:votre )?portee|plus possible de (?:reussir|valider)|ne (?:pouvez|"
    r"peut) plus (?:reussir|atteindre|etre atteint)|plus (?:etre )?atteignable"
)
_GOOD = re.compile(
    r"(?:prediction|forecast|prognosis)[^.;]{0,20} (?:is|was) (?:a )?pass|(?:safely|well|firmly) on (?:course|track)|"
    r"on (?:course|track) for a pass|nothing to turn around|predicted to pass|forecast (?:says|is|was) (?:a )?pass|"
    r"outlook is (?:good|a pass)|prevision (?:pour vous )?(?:etait|est) (?:la reussite|bonne|favorable)|"
    r"bien parti\w* pour reussir|pronostic (?:est|etait) (?:la reussite|favorable)"
)
_BAD = re.compile(
    r"(?:prediction|forecast|prognosis)[^.;]{0,20} (?:is|was) (?:a )?fail|prediction[^.;]{0,30} echec|(?:you would|"
    r"you will|you'll|predicted to|going to|outlook .{0,40}) fail|heading for a fail|not on track|off track|"
    r"forecast (?:says|is|was) (?:a )?fail|prevision (?:pour vous )?(?:etait|est) (?:l'echec|mauvaise|defavorable)|"
    r"vous (?:allez|risquez d') ?echouer|voue a l'echec"
)
_NOT = re.compile(
    r"\b(?:not|n't|no one|if|more points? and|percent and|marks? and|once|until|when|whether|unless|isn't|not yet|"
    r"could|would be|pas|si|des que|quand|lorsque|jusqu'a|avant|nobody|before)\b|n't|\?|\bn'"
)
_PASS = re.compile(r"\b(?:pass\w*|mark|points?|percent|reuss\w+|seuil|barre|pour cent|note|enough|need)\b")
_REPORT_BAD = re.compile(
    r"(?:prediction|forecast|prognosis)[^.;]{0,20} (?:is|was) (?:a )?fail|prediction[^.;]{0,30} echec|at risk|"
    r"not on track|gap to close|less sure|points the other way|something in your routine|makes it hard|"
    r"turn this around|change first|in doubt|not yet (?:on|where)"
)
_REPORT_GOOD = re.compile(
    r"(?:prediction|forecast|prognosis)[^.;]{0,20} (?:is|was) (?:a )?pass|on track|good path|right direction|"
    r"looks? good|well done|serves this goal well|supports this goal well|paying off|what carries you|"
    r"points? (?:towards|to) a pass|pleased with|such work"
)


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
_SUFFICES = re.compile(
    r"enough|suffi\w*|will pass|you pass|would (?:do|close|bring|carry)|brings? you|reussi\w*|all you need|need|"
    r"takes|asks|demand|faut|faudra\w*"
)


def _check_roles(sentence: Sentence, sources: Sources) -> Iterator[str]:
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
                role != "average_needed_in_open_work" or (_SUFFICES.search(text) and len(sentence.amounts) < 3)
            ):
                yield f"“{sentence.raw[said.start() : said.end()]}” ({role.replace('_', ' ')}: {value:g} percent)"
                return


def check_standing(sentence: Sentence, sources: Sources) -> Iterator[str]:
    """A phrase for what a sentence says of passing if the sources say otherwise."""
    status = sources.standing.get("status", "")
    text = sentence.text
    if (
        (said := _REACHED.search(text))
        and _PASS.search(text)
        and not _denied(text, said)
        and "reached" not in status
        and (status or not sources.missed)
    ):
        yield _tell(sentence, said, "the status says otherwise" if status else "nothing says that it is certain")
    if (said := _LOST.search(text)) and not _denied(text, said) and "out of reach" not in status:
        yield _tell(sentence, said, "a pass is still possible" if status else "nothing says so")
    yield from _check_roles(sentence, sources)
    outlook = _outlook(sources)
    for pattern, wrong in ((_GOOD, "fail"), (_BAD, "pass")):
        if outlook == wrong and (said := pattern.search(text)) and not _denied(text, said):
            yield _tell(sentence, said, f"the outlook is {wrong}")


def _outlook(sources: Sources) -> str:
    """What the sources expect: pass or fail, or nothing where they are silent or disagree."""
    report = fold(sources.report)
    bad, good = bool(_REPORT_BAD.search(report)), bool(_REPORT_GOOD.search(report))
    if len(sources.predicted) == 1:
        return next(iter(sources.predicted))
    return ("fail" if bad else "pass") if bad != good and not sources.predicted else ""


def _denied(text: str, said: re.Match[str]) -> bool:
    return bool(_NOT.search(text[max(0, said.start() - 30) : said.start()]) or text.endswith("?"))


def _tell(sentence: Sentence, said: re.Match[str], why: str) -> str:
    return f"“{sentence.raw[said.start() : said.end()]}” ({why})"
