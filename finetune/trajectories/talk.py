"""Scripts for what needs no tool: talk, other students, other subjects."""

import re

from finetune.trajectories.moves import Brief, Say, Script
from finetune.trajectories.sentences import sentence

THANKS = re.compile(
    r"\b(thank|thnx|thx|ty\b|cheers|merci|mrc|danke|grazie|gracias|much obliged|appreciate|helps|helped|great|perfect"
    r"|cool|nice(?! to meet)|awesome|brilliant|neat|sweet|makes sense|got it|i see|good job|well done|parfait|super"
    r"|génial|nickel|bien reçu|d'accord|je vois)",
    re.IGNORECASE,
)
PARTING = re.compile(
    r"\b(bye|goodbye|farewell|good night|see you|cya|talk to you tomorrow|until next time|take care|gotta go|ciao|later"
    r"|that.?s (?:all|it)|no more questions|i'm done here|au revoir|à bientôt|à plus|bonne (?:soirée|journée|nuit))\b",
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
