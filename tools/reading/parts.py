"""Two questions asked at once, told apart by rule, in English and French.

Precision before recall: one question that is torn apart is answered twice and badly, while two that stay together
still get an answer to one of them. What begins like a question stands in `tools.reading.openings`.
"""

import re
from collections.abc import Iterator

from tools.reading.openings import FILLERS, INDIRECT, OPENING, ORDER, WEAK

LEAST = 3
"""Words that a part has at least: "why and how" is one question."""
_JOINERS = r"(?:and|n|nd|&|\+|plus|also|then|et|puis|aussi|ensuite)"
_JOINT = re.compile(rf"(?<![^\s,;.!?…)]){_JOINERS}(?:[\s,]+(?:{_JOINERS}|sinon|oh))*[\s,]+{FILLERS}", re.IGNORECASE)
_OPENING = re.compile(rf"{FILLERS}(?:{OPENING})", re.IGNORECASE)
_ORDER, _INDIRECT, _WEAK = (re.compile(each, re.IGNORECASE) for each in (ORDER, INDIRECT, WEAK))
_SENTENCE, _CLAUSE = re.compile(r"(?<=[.?!…])\s+|\n"), re.compile(r"[,;:(]\s*|\s[-–—]\s")
_TOLD = re.compile(
    r"\b(?:tell|show|know|explain|check|dire|dis|dites|savoir|sais|expliqu\w+|montr\w+)\b", re.IGNORECASE
)
_CONDITION = re.compile(
    r"\b(?:if|because|cause|bc|although|though|unless|after i|since i|now that|when i|si|s'il|parce|car|puisque|"
    r"quand je|vu que|alors que)\b",
    re.IGNORECASE,
)
_OPEN_END = re.compile(
    r"\b(?:what|which|where|when|how|why|who|pourquoi|comment|quand|(?:moi|dire|savoir|sais) (?:où|ou|quoi|combien))$",
    re.IGNORECASE,
)
"""A first half that ends like this shares its rest with the second."""
_BETWEEN = re.compile(r"\b(?:between|entre|betw)\b(?!.*\s(?:and|n|&|et)\s)", re.IGNORECASE)
_ON_THE_WAY = re.compile(
    r"\b(?:look|check|read|go (?:back|through|over)|be|take|help me|think|regard\w+|jet\w+ un|lis|lisez|lire|vérifi\w+|"
    r"sois|soyez|aide\w*[- ]moi|m'aider)\b",
    re.IGNORECASE,
)
"""What is only asked for the sake of the order behind it: "look at week 3 and tell me"."""
_MORE_OF_IT = re.compile(
    r"(?:why|how|what|where|when)(?:'?s| is| was| does| did| do| can)? (?:it|that|this|i do (?:it|that|this))"
    r"(?: (?:is|works?|does|means?|so|come|happens?|good|used|for|about|matters?))*\W*$|"
    r"(?:comment|pourquoi|quand) (?:ça|ca|cela|c'est|je (?:le|la) fais)(?: \w+)?\W*$|"
    r"(?:give|show|donne\w*|montre\w*)[- ](?:(?:me|moi)[- ])?(?:an?|some|un|des) ex[ea]mples?\b|"
    r".*\b(?:they|he|she|his|her|their|them|ils|elles)\b",
    re.IGNORECASE,
)
"""A second half that only goes on about the first."""
_LEANING = re.compile(
    r"(?:is|was|isn't|isnt|does|did|doesn't|are|were|will|would) (?:it|that|this|they)\b|"
    r"(?:or|and|ou|what about|how come|why that|est-ce (?:normal|grave|vrai)|c'est (?:normal|grave|bien|ça|ca|mal))\b",
    re.IGNORECASE,
)
_AT, _NUMBER = r"(?:in |of |for |on |en |à |de |pour |dans )?", r"(\d{1,2})"
_WEEK = r"(?:weeks?|wks?|w|semaines?|sem\.?|s)"
_TWO_WEEKS = re.compile(
    rf"(?P<before>\b(?:are |do |were |les |des |aux )?)(?P<name>\b{_WEEK})(?P<gap>\s*){_NUMBER}\s*(?:and|n|&|\+|et)\s*"
    rf"(?:(?:then|also|puis|aussi) )?{_AT}(?:the |la |l')?(?P<again>{_WEEK}\s*)?{_NUMBER}\b",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"\s*(?:[%x]|percent|pour cent|exer|video|vidéo|quiz|h\b|homework|points?\b|more\b|late\b|"
    r"(?!(?:is|was|does|has|this|as|us|pas|nous|vous|dans|sans|très)\b)[^\W\d]+(?<!s)s\b)",
    re.IGNORECASE,
)
"""What is counted, in most cases a plural: "5 séances", "5 exos"."""
_ANOTHER = re.compile(rf"\b(?:{_WEEK}\s*\d|weeks?\b|semaines?\b)", re.IGNORECASE)
_NO_PAIR = re.compile(
    r"\b(?:between|betw|entre|before|until|till|avant|jusqu\w*|compar\w+|differ\w+|diff|diffé\w+|vs|versus|same|même|"
    r"both|deux|link|linked|connect\w*|relat\w+|lien|together|ensemble|then|puis|or|ou)\b|"
    r"\d\s*,\s*\d|\d\s*(?:-|–|to|à)\s*\d",
    re.IGNORECASE,
)
_AGREED = {"are ": "is ", "do ": "does ", "were ": "was ", "les ": "la ", "des ": "de la ", "aux ": "à la "}
"""One week in the place of two."""
_GOES_ON = re.compile(
    r"(?:exactly|exactement|in|of|for|en|de|pour|dans|à|des|aux|les|la|on|weeks?|semaines?|w)\b", re.IGNORECASE
)


def parts(question: str) -> tuple[str, ...]:
    """The one or two questions that a student asks at once."""
    plain = question.replace("’", "'")  # of the same length, so that places in it are places in the question
    for first, second in (*_joined(plain), *_in_sentences(plain)):
        return question[:first].rstrip(" ,;\n"), question[second:].strip()
    return _by_week(question, plain) or (question,)


def _joined(question: str) -> Iterator[tuple[int, int]]:
    """Where a first question ends and a second begins behind a joining word."""
    for joint in _JOINT.finditer(question):
        first, second = question[: joint.start()], question[joint.end() :]
        asked = _last(first)
        opens = bool(_OPENING.match(second)) or bool(_TOLD.search(asked) and _INDIRECT.match(second))
        weakly = bool(_WEAK.match(second)) and not _CONDITION.search(asked)
        if (opens or weakly) and _stands(asked) and _goes_elsewhere(asked, second):
            yield joint.start(), joint.end()


def _goes_elsewhere(first: str, second: str) -> bool:
    """Whether the second half asks something of its own."""
    first = first.rstrip(" ,;.?!…")
    if _words(second) < LEAST or _MORE_OF_IT.match(second) or _OPEN_END.search(first) or _BETWEEN.search(first):
        return False
    return not (_ORDER.match(second) and _ON_THE_WAY.search(first))


def _in_sentences(question: str) -> Iterator[tuple[int, int]]:
    """Where two sentences meet that are self-standing questions."""
    start, before = 0, ""
    for gap in (*_SENTENCE.finditer(question), None):
        sentence = question[start : gap.start() if gap else len(question)]
        if all(_asks(each) for each in (before, sentence)) and not _MORE_OF_IT.match(sentence):
            yield start, start
        start, before = gap.end() if gap else start, sentence


def _asks(sentence: str) -> bool:
    opens = re.sub(rf"^{FILLERS}", "", sentence, flags=re.IGNORECASE)
    return sentence.endswith("?") and _words(sentence) > LEAST and _stands(sentence) and not _LEANING.match(opens)


def _by_week(question: str, plain: str) -> tuple[str, ...]:
    """The question about each of the two weeks that it names; empty if it names no two."""
    found = _TWO_WEEKS.search(plain)
    if not found or len(_TWO_WEEKS.findall(plain)) > 1 or found[4] == found[6]:
        return ()
    before = _last(plain[: found.start()] + "X")[:-1]
    behind = _SENTENCE.split(plain[found.end() :])[0]
    if _counts(found, before, behind):
        return ()
    *earlier, clause = _CLAUSE.split(before)
    own = clause + found[0]
    asked = bool(_OPENING.match(own)) or (any(map(_OPENING.match, earlier)) and bool(_GOES_ON.match(own)))
    if not asked or _NO_PAIR.search(before + found[0] + behind) or _CONDITION.search(before):
        return ()
    lead = _AGREED.get(found["before"].casefold(), found["before"]) if _several(found) else found["before"]
    name = re.sub(r"(?<=k)s$|(?<=semaine)s$", "", found["name"], flags=re.IGNORECASE)
    one, other = (f"{question[: found.start()]}{lead}{name}{found['gap']}{found[at]}" for at in (4, 6))
    return one + question[found.end() :], other + question[found.end() :]


def _counts(found: re.Match[str], before: str, behind: str) -> bool:
    """Whether the second number counts something: "3 hours in week 2 and 5 hours in week 3"."""
    alike = bool(re.search(r"\d", before)) and not found["again"] and not _several(found)
    return alike or bool(_UNIT.match(behind) or _ANOTHER.search(_CLAUSE.split(behind)[0]))


def _several(found: re.Match[str]) -> bool:
    return found["name"].casefold() in ("weeks", "wks", "semaines")


def _last(text: str) -> str:
    """The last sentence of a text: what stands before it is context."""
    return _SENTENCE.split(text.strip())[-1]


def _stands(sentence: str) -> bool:
    """Whether it is a question or an order by itself, maybe behind a clause that leads up to it."""
    clauses = [clause for clause in _CLAUSE.split(sentence) if clause]
    at = next((number for number, clause in enumerate(clauses) if _OPENING.match(clause)), None)
    return at is not None and _words(" ".join(clauses[at:])) >= LEAST


def _words(text: str) -> int:
    return len(re.findall(r"\w+", re.sub(r"\b(what|how|where|when|who|wat)s\b", r"\1 s", text, flags=re.IGNORECASE)))
