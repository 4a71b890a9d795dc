"""Scripts for what needs no tool: talk, other students, other subjects."""

import re

from finetune.trajectories.moves import Brief, Say, Script
from finetune.trajectories.sentences import sentence

THANKS = re.compile(
    r"\b(thank|thanks|thx|ty|cheers|merci|helps|helped|great|perfect|cool|nice|awesome|parfait|super|génial)",
    re.IGNORECASE,
)
PARTING = re.compile(
    r"\b(bye|goodbye|good night|see you|ciao|later|that.s all|au revoir|à bientôt|bonne (?:soirée|journée|nuit))\b",
    re.IGNORECASE,
)


def out_of_scope(brief: Brief) -> Script:
    """Not about this course."""
    return Say(
        f"{brief.asked()} So I decline.",
        sentence(brief.language, "out_of_scope"),
    )
    yield


def other_student(brief: Brief) -> Script:
    """Somebody else's data."""
    return Say(
        f"{brief.asked()} So I decline.",
        sentence(brief.language, "other_student", week=brief.weeks_done),
    )
    yield


def smalltalk(brief: Brief) -> Script:
    """A greeting, thanks, or who are you."""
    if PARTING.search(brief.question.text):
        text = sentence(brief.language, "goodbye")
        return Say(f"{brief.asked()} The student says goodbye.", text)
    if THANKS.search(brief.question.text) or brief.question.earlier:
        text = sentence(brief.language, "welcome")
        return Say(f"{brief.asked()} The student is content.", text)
    return Say(
        f"{brief.asked()} I say what I can do.",
        sentence(brief.language, "hello"),
    )
    yield
