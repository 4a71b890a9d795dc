"""Events in the student's life or course that an answer tells as facts and that nothing said before mentions."""

import re
from collections.abc import Iterator

from scribe.grounding.sentences import Sentence

_PEOPLE = (
    r"(?:assistants?|teachers?|professors?|tutors?|course team|jury|partner|team|group|assistante?s?|"
    r"enseignante?s?|professeure?s?|equipe(?: du cours)?|jury|groupe|binome)"
)
_EVENT = re.compile(
    r"\byou (?:told (?:us|me)|wrote (?:to )?(?:us|me|the)|asked (?:us|me|for|the)|reported|mentioned|"
    r"switched|changed|moved|joined|left (?:the|your) (?:course|team|group|class)|presented|lost|broke|"
    r"had (?:the flu|an accident|a cold|trouble)|were (?:ill|sick|away|absent|praised|moved)|"
    r"missed (?:the|a|your) (?!quiz|homework|midterm|deadline|video|lecture|final|first|pass|mark)|"
    r"have (?:a|an) (?:\w+ )?job)|\b"
    + _PEOPLE
    + r" (?:has |have )?(?:praised|noted|liked|gave|moved|dropped|left|told|wrote|said|announced|"
    r"extended|cancell?ed|"
    r"postponed|granted|asked|decided|congratulated|complained)\b|\b(?:was|were) (?:reopened|"
    r"cancell?ed|postponed|extended|moved)\b|"
    r"\b(?:last|this past) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|month|night)\b|"
    r"\bvous (?:avez|aviez|nous avez|m'avez|l'avez) (?:perdu|change|dit|ecrit|raconte|signale|"
    r"demande|manque (?:la|le|une|un)|rejoint|quitte|presente|oublie|annonce|demenage|"
    r"ete malade|eu (?:la grippe|un accident|un probleme))|\b"
    + _PEOPLE
    + r" (?:vous )?(?:a|ont|avait|avaient) (?:felicite|note|aime|donne|accorde|change|quitte|dit|ecrit|"
    r"annonce|"
    r"reporte|annule|prolonge|deplace)|\b(?:a|ont) ete (?:reporte|annule|prolonge|rouvert|"
    r"deplace)\w*|\btomb\w+ (?:en panne|malade)|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|"
    r"dimanche|mois) dernier"
)
_UNSURE = re.compile(
    r"\b(?:if|when|whenever|unless|should|would|could|may|might|before|si|quand|lorsque|pourrait|"
    r"serait|avant)\b(?! you had)"
)


def check_events(sentence: Sentence, said_before: str) -> Iterator[str]:
    """A phrase for an event of which no word was said before. said_before: all sources and questions, folded."""
    for event in _EVENT.finditer(sentence.text):
        verb = max(event[0].split(), key=len)
        supposed = _UNSURE.search(sentence.text[max(0, event.start() - 25) : event.start()])
        if verb[:5] not in said_before and not (supposed and "flu" not in event[0]) and "?" not in sentence.text:
            yield f"“{sentence.raw[event.start() : event.end()]}”"
            return
