"""Events in the student's life or course that an answer tells as facts and that nothing said before mentions."""

import re
from collections.abc import Iterator

from scribe.grounding.sentences import Sentence

_PEOPLE = (
    r"(?:assistants?|teachers?|professors?|tutors?|course team|jury|partner|team|group|assistante?s?|enseignante?s?|"
    r"professeure?s?|equipe(?: du cours)?|jury|groupe|binome)"
)
_EVENT = re.compile(
    r"\byou (?:told us|wrote (?:to )?(?:us|me|the)|asked (?:us|me|for|the)|reported|mentioned|switched|"
    r"changed|moved|joined|left (?:the|your) (?:course|team|group|class)|presented|lost (?:your|the)(?! points?)|"
    r"broke|had (?:the flu|an accident|a cold|trouble)|were (?:ill|sick|away|absent|praised|moved)|missed (?:the|a|"
    r"your) (?!point|quiz|homework|midterm|deadline|video|lecture|final|first|pass|mark)|have (?:a|an) (?:\w+ )?job)|"
    r"\b" + _PEOPLE + r" (?:has |have )?(?:praised|noted|liked|gave|moved|dropped|left|told|wrote|said|announced|"
    r"extended|cancell?ed|postponed|granted|asked|decided|congratulated|complained)\b|\b(?:was|were) (?:reopened|"
    r"cancell?ed|postponed|extended|moved)\b|\b(?:last|this past) (?:monday|tuesday|wednesday|thursday|friday|"
    r"saturday|sunday|month|night)\b|\bvous (?:avez|aviez|nous avez|m'avez|l'avez) (?:perdu|change|dit|ecrit|raconte|"
    r"signale|demande|manque (?:la|le|une|un)|rejoint|quitte|presente|oublie|annonce|demenage|ete malade|"
    r"eu (?:la grippe|un accident|un probleme))|\b"
    + _PEOPLE
    + r" (?:vous )?(?:a|ont|avait|avaient) (?:felicite|note|aime|donne|accorde|change|quitte|dit|ecrit|"
    r"annonce|reporte|annule|prolonge|deplace)|\b(?:a|ont) ete (?:reporte|annule|prolonge|rouvert|deplace)\w*|"
    r"\btomb\w+ (?:en panne|malade)|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|mois) dernier"
)
_UNSURE = re.compile(
    r"\b(?:if|when|whenever|unless|should|would|could|may|might|before|si|quand|lorsque|pourrait|serait|"
    r"avant)\b(?! you had)"
)


def check_events(sentence: Sentence, said_before: str) -> Iterator[str]:
    """A phrase for an event of which no word was said before. said_before: all sources and questions, folded."""
    for event in _EVENT.finditer(sentence.text):
        words = event[0].split()
        verb = words[-1] if words[:2] == ["you", "were"] else max(words, key=len)
        supposed = _UNSURE.search(sentence.text[max(0, event.start() - 25) : event.start()])
        known = re.search(rf"\b{re.escape(verb[:5])}", said_before)
        if not known and not (supposed and "flu" not in event[0]) and "?" not in sentence.text:
            yield f"“{sentence.raw[event.start() : event.end()]}”"
            return
