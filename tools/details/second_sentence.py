"""The sentence of a textbook section that answers what was asked of it, where its first sentence does not."""

import re

from data.course import Section
from tools.search.coverage import Coverage
from tools.search.vault import Vault
from tools.search.words import Words, folded
from tools.wording import sentences

LONGEST = 45
"""Words of a sentence; a longer one is not taken as the second."""
CLEARLY = 0.12
"""So much more similar to the question than the first sentence is must a sentence be that has no mark of an answer."""
ABOUT_IT = -0.2
"""With such a mark it may be less similar by so much."""
ENOUGH = 0.3
"""The share of the question's further words that a sentence must hold where nothing else speaks for it."""
SHORTEST, SHORTEST_EXAMPLE = 8, 16
"""Words; what is shorter says little alone."""
EXAMPLE = re.compile(r"^\*+((?:Example|Exemple)\.)\*+", re.MULTILINE)
# What a question asks, and what a sentence that answers it has; on folded text.
_MARKS = tuple(
    (re.compile(rf"\b(?:{asks})"), re.compile(rf"\b(?:{answers})"))
    for asks, answers in (
        (r"examples?\b|exemples?\b|for instance", r"(?:example|exemple)\.|for example|for instance|par exemple|e\.g\."),
        (r"differen|vs\b|versus\b|compared? ", r"differ|unlike|whereas|contrairement|tandis que|alors que|au lieu de"),
        (
            r"used? for|useful|good for|purpose|point of|a quoi|utile|utilite|sert\b|servent\b|but d[eu']",
            r"used? (?:for|to|in|when)|useful|serves?\b|lets?\b|allows?\b|makes? it possible|needed|"
            r"sert\b|servent\b|permet|utile|utilis|convien|suffi",
        ),
        (r"why\b|pourquoi|reason\b|raison\b", r"because|since\b|so that|car\b|parce qu|puisqu|afin"),
        (
            r"how (?:do|does|can|is|are|to|would|should)\b|steps?\b|comment\b|etapes?\b",
            r"comput|calcul|obtain|first\b|steps?\b|by \w+ing\b|divid|multipl|replac|"
            r"on (?:obtient|mesure|trace|compare|divise|multiplie|commence|cherche|lit|vise|part)\b|"
            r"d'abord|il faut|etapes?\b",
        ),
    )
)
_IT = re.compile(r"(?:Ils?|Elles?|Cela)\b")
_GENERAL = """
    concept definition define describe detail idea meaning notion overview part section textbook topic word theme week
    work works chapitre cours definir definition detail idee manuel notion principe semaine signifie terme
"""


def second_sentence(section: Section, asked: str, language: str, vault: Vault) -> str:
    """The sentence, word for word; empty if the first one is the answer or nothing clearly is."""
    question = folded(asked).replace("’", "'")
    marks = next((answers for asks, answers in _MARKS if asks.search(question)), None)
    example = marks is _MARKS[0][1]
    told = sentences(EXAMPLE.sub(r"\1", section.text) if example else section.text)
    if not question.strip() or not told or (marks and marks.search(folded(told[0]))):
        return ""
    rest = _whole(told[1:])
    if marks:
        rest = [each for each in rest if marks.search(folded(each))]
    if example:
        return rest[0] if rest else ""
    special = _special(section, told[0], asked, language)
    if not rest or not (marks or special):
        return ""
    if language in vault.embedder.languages:
        return _by_meaning(section, (told[0], *rest), asked, vault, ABOUT_IT if marks else CLEARLY)
    return _about(section, rest, special, language) if marks else _by_words(rest, special, language)


def _whole(told: tuple[str, ...]) -> list[str]:
    """What can be told alone: sentences of a sensible length, short ones with what follows; no questions."""
    whole = []
    for place, each in enumerate(told):
        least = SHORTEST_EXAMPLE if each in ("Example.", "Exemple.") else SHORTEST
        last = place + 1
        while last < len(told) and len(" ".join(told[place:last]).split()) < least:
            last += 1
        whole.append(" ".join(told[place:last]))
    return [each for each in whole if SHORTEST <= len(each.split()) <= LONGEST and each[-1] not in "?:"]


def _special(section: Section, first: str, asked: str, language: str) -> list[str]:
    """The stems of what is asked beyond the topic itself and what the first sentence says."""
    words = Words(language)
    known = {*words.stems(words.of(f"{section.title} {first} {_GENERAL}"))}
    return [stem for stem in words.stems(words.telling(asked)) if stem not in known]


def _by_meaning(section: Section, told: tuple[str, ...], asked: str, vault: Vault, margin: float) -> str:
    """The one most similar to the question, if it is more similar than the first by the margin."""
    flat = vault.flat([f"{section.title}. {each}" for each in told])
    scores, rows = flat.search(vault.embedder.embed([asked], role="query"), len(told))
    found = dict(zip(rows[0].tolist(), scores[0].tolist(), strict=True))
    best = max(range(1, len(told)), key=lambda row: found[row])
    return told[best] if found[best] >= found[0] + margin else ""


def _about(section: Section, marked: list[str], special: list[str], language: str) -> str:
    """Of sentences with the mark of an answer, the one with most words of the question that names the topic."""
    words = Words(language)
    topic = set(words.stems(words.telling(section.title)))
    naming = [each for each in marked if topic.intersection(words.stems(words.telling(each))) or _IT.match(each)]
    return (_by_words(naming, special, language) or naming[0]) if naming else ""


def _by_words(told: list[str], special: list[str], language: str) -> str:
    """The one that holds most of these words, if that is a good part of them."""
    words = Words(language)
    shares = Coverage([words.stems(words.telling(each)) for each in told]).of(special)
    best = int(shares.argmax())
    return told[best] if shares[best] >= ENOUGH else ""
