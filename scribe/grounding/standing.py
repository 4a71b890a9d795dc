"""Whether the student passes: what an answer says, against the status of the grade, the prediction and the report."""

import re
from collections.abc import Iterator

from scribe.grounding.facts import Sources
from scribe.grounding.sentences import Sentence
from scribe.grounding.words import fold

_REACHED = re.compile(
    r"already (?:passed|guarantee\w*|enough|have what you need|through|secured|over the|reached "
    r"the (?:pass|mark))|(?:you have|you've) passed|pass is (?:already )?(?:yours|safe|"
    r"certain|guaranteed|in the bag)|(?:enough|points) (?:by now|for a pass|already)|already enough|"
    r"no more points are missing|guarantees? you|nothing more is missing|"
    r"deja (?:reussi|atteint|depasse|gagne|acquis|valide|assure)|(?:est|sont) deja (?:acquise?|"
    r"depasse|atteint|assuree?|suffisants?)|reussite est (?:acquise|assuree)|"
    r"ne (?:vous )?manque plus rien"
)
_LOST = re.compile(
    r"out of (?:your )?reach|no longer (?:possible|bring|be reached|pass|within)|(?:cannot|can't|can "
    r"not|could not) (?:pass|be reached|reach the pass)|"
    r"impossible (?:to|de) (?:pass|reach|reussir)|already failed|too late to pass|"
    r"hors (?:de )?(?:votre )?portee|plus possible de (?:reussir|valider)|"
    r"ne (?:pouvez|peut) plus (?:reussir|atteindre|etre atteint)|plus (?:etre )?atteignable"
)
_GOOD = re.compile(
    r"(?:safely|well|firmly) on (?:course|track)|on (?:course|track) for a pass|nothing to turn "
    r"around|predicted to pass|forecast (?:says|is|was) (?:a )?pass|"
    r"outlook is (?:good|a pass)|prevision (?:pour vous )?(?:etait|est) (?:la reussite|bonne|"
    r"favorable)|bien parti\w* pour reussir|pronostic (?:est|etait) (?:la reussite|favorable)"
)
_BAD = re.compile(
    r"(?:you would|you will|you'll|predicted to|going to|outlook .{0,40}) fail|heading for a fail|"
    r"not on track|off track|forecast (?:says|is|was) (?:a )?fail|"
    r"prevision (?:pour vous )?(?:etait|est) (?:l'echec|mauvaise|defavorable)|vous (?:allez|risquez "
    r"d') ?echouer|voue a l'echec"
)
_NOT = re.compile(
    r"\b(?:not|n't|no one|if|once|until|when|whether|unless|isn't|not yet|could|would be|pas|si|des "
    r"que|quand|lorsque|jusqu'a|avant|nobody|before)\b|n't|\?|\bn'"
)
_PASS = re.compile(r"\b(?:pass\w*|mark|points?|percent|reuss\w+|seuil|barre|pour cent|note|enough|need)\b")
_REPORT_BAD = re.compile(
    r"at risk|not on track|gap to close|less sure|points the other way|something in your routine|"
    r"makes it hard|turn this around|change first|in doubt|not yet (?:on|where)"
)
_REPORT_GOOD = re.compile(
    r"on track|good path|right direction|looks? good|well done|serves this goal well|supports this "
    r"goal well|paying off|what carries you|points? (?:towards|to) a pass|"
    r"pleased with|such work"
)


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
