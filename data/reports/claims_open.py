"""Claims that nothing in the data could bear out, and sentences about the student that are of no known kind.

`claims` holds against the data what it can read. What it cannot read is refused here rather than let through: a
sentence that says something of the student must name a behaviour and a concluded week, or be of a kind that is listed.
Words pass by the list, so a sentence may be refused that is harmless; that costs a language model another attempt.
"""

import re
from collections.abc import Iterator

from data.reports.facts import Facts
from data.reports.reading import Sentence

_COUNTS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|"
    "eighty|ninety|(?:a )?hundred|(?:a )?dozen|half|(?:a )?quarter|(?:a )?third|twice|double|triple"
)
_UNITS = "hours?|minutes?|seconds?|clicks?|sessions?|answers?|points?|percent|marks?|times|videos?|problems?|days?"
_OUTSIDERS = r"(?:teacher|professor|tutor|lecturer|adviser|advisor|dean|parent|famil|faculty|universit|administrat)\w*"
_REFUSED = {
    # The explanation is one small set of changes; others may turn the outlook just as well.
    "that there is no other way is not known": (
        r"\bno (?:other )?way (?:around|without)\b|(?<!not be )\bthe only (?:way|thing|reason|cause)\b|"
        r"\bas long as (?:this|it|that|things)\b|\bmovement on (?:exactly|just) this\b|\btake (?:this|it|that) away\b|"
        r"\bdepends? on (?:this|it|that)\b(?! week)|\bwithout (?:this|that|it|these|(?:a )?change|movement)\b|"
        r"(?<!not )\b(?:has|have) to change\b|\bmust (?:first )?(?:change|improve)\b|"
        r"\bnothing else (?:helps|matters|counts|will|would)\b|\b(?:essential|indispensable|unless)\b"
    ),
    "what holds always or never is not known": (
        r"\b(?:never|always|constantly|every single|not once|at no time|all the time)\b"
    ),
    "what will become of it cannot be promised": (
        r"\b(?:will|'ll|won['’]t|going to|sure to|certain to|bound to|cannot|can['’]t|can not)\s"
        r"(?:\w+ ){0,3}?(?:pass|fail|succeed|get there|make it|lose)\b|"
        r"\b(?:guarantee\w*|certainly|definitely|surely|undoubtedly|doomed)\b"
    ),
    "nothing is known of leaving or repeating the course": (
        r"\b(?:drop|quit|abandon|leave|give up|repeat|retake|withdraw from|cancel)\s"
        r"(?:on )?(?:the |this |your )?(?:course|class|subject|year|studies|exam)\b|\bdrop out\b|\bwithdraw\b"
    ),
    "nothing is known of what others did or think": (
        r"\b(?:reported|cheat\w*|plagiari\w*|copied|disciplin\w*|punish\w*|warned|complain\w*)\b|"
        rf"\b(?:the|your|our|his|her) {_OUTSIDERS}\b|\byour (?:friends?|classmates?|fellow students?|peers?)\b"
    ),
    "nothing is known of character or health": (
        r"\b(?:laz\w+|stupid\w*|unmotivated|incapable|careless\w*|gifted|genius|hopeless|disappoint\w*|asham\w*|"
        r"depress\w*|anxi\w+|intelligen\w+|ill|sick)\b"
    ),
    "weeks are not compared with one another": (
        r"\bthan (?:in |during )(?:the )?(?:_|first|last|earlier|previous)"  # week numbers are blanked out
    ),
    "the first weeks are not summed up": r"\bthe (?:start|beginning|first weeks?) (?:was|were|has been|have been)\b",
    "a number in words": rf"\b(?:{_COUNTS}) (?:of (?:the |your )?)?(?:an? )?(?:{_UNITS})\b",
}
_PATTERNS = {reason: re.compile(words, re.IGNORECASE) for reason, words in _REFUSED.items()}
_ONLY_OF_WHAT_WAS = ("a number in words", "what holds always or never is not known")  # fine in advice

# A place among others, which takes a behaviour and a week to be true or false.
_OTHERS = re.compile(
    r"\b(?:top|best|bottom|worst|most|half|rest|better|worse|ahead|behind|few|nobody|every(?:one|body)|weakest|strongest)"
    r"\b[^.;]{0,30}?\b(?:class|students?|classmates|others?|people|peers|else)\b",
    re.IGNORECASE,
)
# The word behind "you" or "your" in a sentence without a behaviour and a week. "are", "have" and past tenses are left
# out on purpose: they tell what was, and have to be among the turns of phrase below.
_TELLING_NOTHING = """
want wish hope aim need can could may might would should set learn know choose decide follow keep give steer do meet
start go feel like think talk get use work solve see plan try ask find take stay continue build begin carry prepare
look once when if as and or to for in on at with by from through too well early apart longest stays not a goal way road
path routine habit habits week weeks study studies pattern position outlook own hands questions question side place
days time pace rhythm choice decision advantage strengths strength next two step steps coming current present course
learning effort efforts energy favour marks whole
"""
_AFTER_YOU = frozenset(_TELLING_NOTHING.split())
_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b(?:\s+([\w’'-]+))?", re.IGNORECASE)
# Turns of phrase that claim nothing, or that `claims` holds against the outlook, the marks or the class.
_TURNS = (
    r"you are (?:on track|not on track yet|well placed|on a good path|behind(?=,))",
    r"you are (?:working towards|rarely taken|below the pace)",
    r"(?:aim|goal)(?: \w+)?(?: you have|[^.;]{0,30}? (?:in front of|that) you(?: pass| is)?)",
    r"you have (?:to use|been working|put in)|you have (?:decided|chosen|shaped) well|if you have",
    r"distance you have (?:earned|built up)",
    r"what (?:you learned|comes)|where you are|you chose this|you decided about|for you are gaps",
    r"no one but you sets|nobody else decides|few others show|unlike those of most others",
    r"from what (?:most|the rest) of",
)
_DECIDED = re.compile(
    r"\b(?:something you (?:can change|decide)|yours to change|you decided? about|you (?:can )?steer|"
    r"your own decision)\b",
    re.IGNORECASE,
)
_KNOWN = re.compile(rf"\b(?:{'|'.join(_TURNS)})\b", re.IGNORECASE)


def open_faults(sentence: Sentence, facts: Facts) -> Iterator[str]:
    """Complaints about what cannot be held against the data."""
    for reason, pattern in _PATTERNS.items():
        match = pattern.search(sentence.plain)
        if match and not (sentence.step and reason in _ONLY_OF_WHAT_WAS):
            yield f"{reason} ({match.group()})"
    if sentence.step or any(facts.is_over(week) for _, week in sentence.pairs):
        return
    rest = _KNOWN.sub(lambda match: "_" * len(match.group()), sentence.plain)
    if match := _OTHERS.search(rest):
        yield f"a place among others without behaviour and week ({match.group()})"
    if sentence.features:
        if not _DECIDED.search(sentence.plain):
            yield f"{sentence.features[0][0].label}: name the week"
        return
    for match in _YOU.finditer(rest):
        word = (match[1] or "_").lower()
        if not word.startswith("_") and word not in _AFTER_YOU:
            yield f"nothing in the data bears this out ({match.group()}): name a behaviour and a week, or leave it out"
