"""Which graded work a question names: "quiz", "homework" of a week, an exam."""

import re
import unicodedata
from collections.abc import Sequence

from data.course import GradedItem
from tools.search.words import folded

# "The final" and "a test" name an exam where the sentence ends or goes on with one of these, but not in "the final
# topic", "test signals" or "le contrôle continu".
_ENDS = (
    r"(?=\s*(?:$|[^\w\s'’-])|\s+(?:to|in|at|by|from|then|too|again|and|or|but|is|was|will|if|so|as|this|next|that|"
    r"counts?|worth|covers?|has|hard|soon|i|you|we|be|do|does|when|how|of (?:the )?week|et|ou|pour|en|dans|si|est|sera|"
    r"va|compte|porte|cette|ce|qui|de la semaine|la semaine)\b)"
)
# On folded text. A "final grade" and a "grade so far" name no work, nor does "au final".
_NAMED = {
    "quiz": r"quiz(?:z?es)?|questionnaires?",
    "homework": r"home ?works?|hws?|assignments?|problem sets?|devoirs?|tps?|travaux pratiques|travail pratique",
    "midterm": r"mid-? ?terms?(?: exams?)?|(?:epreuve |examen )?intermediaire|mi-semestre|partiel",
    "final": (
        r"finals? (?:exam\w*|test)|finals|exam(?:en)?s? final\w*|epreuves? finales?|"
        r"(?:the|my|our|an?|in|le|du|mon|un)(?: (?:good|great|bad|perfect|decent|average|bon|mauvais))? final"
        rf"(?:(?= (?:on|for|with|without|goes|turns|parfait|moyen)\b)|{_ENDS})"
    ),
    "project": r"projects?|projets?",
    "pitch": r"pitch(?:es)?",
}
_EXAM = re.compile(rf"\b(?:exam(?:en|ination)?s?\b|(?<!to )(?:tests?|epreuves?|controles?)\b{_ENDS})")
_DUE = re.compile(
    r"\b(?:due(?! to\b)|deadlines?|hand(?:ed)? in|submit|graded|rendre|rendu|delais?|echeances?|a remettre)\b"
)
# With its accent: folded, it would be the lecture notes.
_MARKED = re.compile(r"\bnotée?s?\b")
_NUMBER = re.compile(
    r"\b(?:week|semaine|quiz|homework|hw|assignment|problem set|tp|devoir|questionnaire)s?\s*"
    r"(?:n°|no\.?|#)?\s*(\d{1,2})\b"
)
EXAMS = ("midterm", "final")
QUIZ = "quiz"


def kind(item: GradedItem) -> str:
    """The kind of work, as the id says it: "homework" of "homework-3"."""
    return item.id.split("-")[0]


def kinds(items: Sequence[GradedItem]) -> tuple[str, ...]:
    """The kinds of these items, in their order."""
    return tuple(dict.fromkeys(map(kind, items)))


def named(asked: str, items: Sequence[GradedItem]) -> tuple[GradedItem, ...]:
    """The items of the kind that the question names first. An exam is the final.

    Of work that there is by week only the item of the number that the question names, if it names one: none where
    there is no such item, whose place the whole kind would take.
    """
    said = folded(asked)
    places = {name: match.start() for name in kinds(items) if (match := re.search(_pattern(name), said))}
    if not places and _EXAM.search(said) and "final" in kinds(items):
        places["final"] = 0
    if not places:
        return ()
    first = min(places, key=lambda name: places[name])
    found = tuple(item for item in items if kind(item) == first)
    number = _NUMBER.search(said, places[first]) or _NUMBER.search(said)
    if number is None or not any("-" in item.id for item in found):
        return found
    return tuple(item for item in found if item.week == int(number[1]))


def sought(asked: str, items: Sequence[GradedItem]) -> tuple[str, ...]:
    """The kinds a question about a week is after, without quizzes; none if it is after no graded work."""
    said, rest = folded(asked), tuple(name for name in kinds(items) if name != QUIZ)
    found = tuple(name for name in rest if re.search(_pattern(name), said))
    if not found and _EXAM.search(said):
        return tuple(name for name in rest if name in EXAMS)
    return found or (rest if _DUE.search(said) or _marked(asked) else ())


def _marked(asked: str) -> bool:
    return bool(_MARKED.search(unicodedata.normalize("NFC", asked.casefold())))


def _pattern(name: str) -> str:
    return rf"\b(?:{_NAMED.get(name, re.escape(name))})\b"
