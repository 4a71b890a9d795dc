"""What words of an answer or a source are about, English and French: concepts such as `video`, `late`, `class`.

A concept stands for the many words that people use for one thing ("sittings", "séances"). A subject (a behaviour, a
piece of graded work, a key of a tool's result) is known by the concepts of its names, so the words of an answer can be
compared with it whatever they are. The patterns know nothing of any course.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

_PATTERNS = {
    # what is done
    "video": r"videos?|lectures?(?! sur)|lessons?|clips?|lecons?|(?:les|des|aux|chaque|vos) cours",
    "quiz": r"quiz(?:zes)?|problems?|questions?",
    "click": r"click\w*|clics?|cliqu\w+",
    "session": r"sessions?|sittings?|seances?|(?:sat|sit) down",
    "study": r"stud(?:y|ied|ying)|travail(?! pratique)\w*|worked|etudi\w+",
    "platform": r"platform|plateforme",
    "open": r"open(?:ed|ing|ings|s)?(?! (?:work|part|half))|ouvert(?:e|s|es|ure|ures)?|ouvr\w+",
    "watch": r"watch\w*|regard\w*",
    "answer": r"answers?|submit\w*|submissions?|reponses?",
    "homework": r"homework|assignments?|devoirs?|travaux pratiques|travail pratique|practical works?|tps?",
    "midterm": r"mid-?term|intermediaires?|mi-parcours",
    "final": r"final(?! grade| mark)|finals|examen final|final exam|(?<=note )finale",
    # how it is done
    "length": r"lengths?|long(?:er|est|ue|ues|ueur)?|last(?:ed|s|ing)|short(?:er|est)?|dur(?:e|ee|ees|aient|"
    r"ait|er|ent)|courte?s?|at a (?:stretch|time)|went on|sat for|average (?:session|sitting)|(?:session|"
    r"sitting)s? (?:of yours )?took",
    "number": r"number|how (?:many|often)|times(?! (?:as|more|the))|nombre|fois(?! (?:plus|moins))|often|"
    r"souvent|nombreu\w*|many|fewer",
    "time": r"time (?:on|with|in|that|you|at|for)|(?:study|total|working|more|less) time|spent|spend\w*|temps|"
    r"(?:avez|aviez) passe|(?:minutes|heures|hours) (?:de travail|of study|devant|on|with|sur)|gave|devote\w*|put in|"
    r"consacr\w+|worked|studied|travaill\w+|invest\w*|busy with",
    "total": r"total\w*|added up|all your|in all|altogether|toute?s? votre|en tout|study time|put in|worked|"
    r"you studied|de travail|longest week|(?:the|le|au) (?:course|cours)\b|travaille\w*",
    "delay": r"delay\w*|wait(?:ed|ing|s)?|delais?|attend\w*|attente|late(?:ly|st)?|slow\w*|sooner|(?:pass|go) by|"
    r"let \d+ \w+ pass|releas\w+|parution|tard(?:ivement)?|ecoul\w+|prompt\w*|before (?:watching|opening|"
    r"the lectures?)|avant (?:de (?:regarder|commencer|lancer|voir|ouvrir)|les (?:videos|cours|lecons))|(?:started|"
    r"got|get|turned) (?:on|to) the (?:lectures?|videos?)|(?:ahead|early) with the (?:lectures?|videos?)|(?:watched|"
    r"watching) the lectures \d+ hours|(?:plus|si) tot|hours early|(?:heures?|heure) d'avance",
    "ontime": r"on time|in (?:their|its) (?:own )?week|current|a temps|dans leur semaine|kept up|keep(?:ing)? "
    r"up|a jour|semaine prevue|when due|week by week",
    "early": r"early(?! in| enough| with)|ahead(?: of time)?(?! of (?:the|a|your|most|schedule))|in advance|"
    r"later videos|coming videos|beforehand|en avance|a l'avance|d'avance(?! sur)|preview\w*",
    "first": r"first (?:try|time|go|attempt|shot)|(?:premier|1er) (?:coup|essai)|first-try",
    "solved": r"(?<!first )solv\w+|full marks|complet\w+|reussi(?:e|es)|reussir|resol\w+|entierement|"
    r"finish(?:ed|ing)",
    "score": r"scor\w+|per attempt|each (?:quiz )?attempt|par essai|chaque essai|resultats?|per quiz attempt",
    "breaks": r"breaks?|gaps? between|pauses?(?: entre)?|pausing|interruptions? between",
    "uneven": r"uneven\w*|irregul\w*|vari(?:ed|es|ation|aient|ait|e)|differ(?:ed|s|ent|aient)|spread|inegal\w*|"
    r"unequal",
    "fixed": r"(?:fixed|same|steady|regular|set) (?:hours?|times?)|hours of (?:study|the day)|horaires?|"
    r"heures? (?:fixes?|regulieres?)|memes (?:heures|moments)",
    "rhythm": r"rhythm|rythme|daily|jours? apres jour|au fil des jours|quotidien\w*",
    "weekday": r"weekdays?|monday to friday|lundi au vendredi|jours (?:de semaine|ouvrables)|working days|"
    r"week's days",
    "weekend": r"week-?ends?|saturday and sunday|samedi et (?:le )?dimanche",
    "replay": r"replay\w*|re-?watch\w*|revu(?:e|es|s)?|came back to|second look|rouver\w*",
    "interrupt": r"interrup\w*|broke off|abandon\w*",
    "jump": r"jump\w*|saut(?:s|e|ez|er)?|retours? en arriere|skipp\w*",
    "speed": r"speed\w*|vitesse|acceler\w*",
    "play": r"play clicks|clics sur lecture",
    "stop": r"stops|arrets",
    "pause": r"pause (?:clicks|length)|pauses dans les videos|clics sur pause",
    "changes": r"changes in|variation des",
    "actions": r"made up|(?:your|vos|of) actions|share of (?:video (?:openings|stops)|play|pause|jumps|speed)|"
    r"part (?:d'ouvertures|d'arrets|de clics|de retours|de sauts|de changements)",
    "minute": r"per minute|par minute",
    # the grade
    "passing": r"pass(?:ing)? (?:mark|line|grade)|mark to pass|threshold|seuil|barre|note de passage|over the line|"
    r"(?:need|needed|have) .{0,30}to pass the|pour (?:valider|reussir) ce|au total pour reussir|weighted|ponderee",
    "missing": r"missing|short of|lack\w*|manqu\w+|still need|need(?:s|ed)? (?:only )?(?:another )?\d+|separat\w+|"
    r"another \d+ is|stand between|more to pass|a gagner|away from|more (?:is|are) needed|encore besoin",
    "earned": r"earned|collected|gathered|in the bag|you hold|have .{0,12}percent|obtenu\w*|acquis|en poche|so "
    r"far|already",
    "graded": r"graded|notes",
    "stillopen": r"still open|(?:is|are) open|remaining|left|to come|open work|open points|reste\w*|a venir|"
    r"ouverts?|still_open",
    "average": r"averag\w+|moyenne|on average",
    "needed": r"needed|need|would (?:do|be enough|bring|close)|takes|suffi\w+|faudrait|asks for|required|needs",
}
_CONCEPTS = {name: re.compile(rf"(?<![a-z0-9])(?:{pattern})(?![a-z0-9])") for name, pattern in _PATTERNS.items()}
_LIGHT = frozenset({"watch", "study", "platform", "total", "number", "open", "earned", "needed", "graded"})
"""Concepts that say little about which subject is meant."""
_HEAVY = frozenset({
    "delay", "ontime", "early", "first", "score", "breaks", "uneven", "fixed", "rhythm", "weekday", "weekend",
    "replay", "interrupt", "answer", "jump", "speed", "play", "stop", "pause", "changes", "actions", "minute",
    "homework", "midterm", "final", "missing", "stillopen", "passing", "solved", "average",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Concepts:
    """Where each concept stands in a folded text."""

    places: Mapping[str, tuple[int, ...]]

    def within(self, start: int, end: int) -> frozenset[str]:
        """The concepts that begin in this part of the text."""
        return frozenset(name for name, found in self.places.items() if any(start <= place < end for place in found))


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Small letters without accents, straight apostrophes and ordinary spaces, sign for sign as long as the text."""
    return "".join(map(_plain_letter, text))


@lru_cache(maxsize=4096)
def read_concepts(text: str) -> Concepts:
    """The concepts of a folded text."""
    found = {name: tuple(match.start() for match in seen.finditer(text)) for name, seen in _CONCEPTS.items()}
    return Concepts({name: places for name, places in found.items() if places})


def is_concept(name: str) -> bool:
    """Whether this is a concept, and not a word of a source that has none."""
    return name in _CONCEPTS


def concepts_of(text: str) -> frozenset[str]:
    """All concepts of a text, folded or not."""
    return frozenset(read_concepts(fold(text)).places)


def weigh(concepts: frozenset[str]) -> float:
    """How much a set of concepts says about which subject is meant."""
    return sum(0.4 if each in _LIGHT else 1.2 if each in _CONCEPTS and each not in _HEAVY else 2.5 for each in concepts)


@lru_cache(maxsize=1024)
def _plain_letter(letter: str) -> str:
    if letter in "’‘ʼ":
        return "'"
    if letter in "–—‑":
        return "-"
    if letter.isspace():
        return "\n" if letter == "\n" else " "
    bare = unicodedata.normalize("NFKD", letter.lower())[:1]
    return bare if len(bare) == 1 else letter
