"""How students name a week: mostly by its number, now and then in words, by its place in the course, or shortened."""

import random
import re

IN_WORDS, BY_PLACE, SHORT = 0.06, 0.06, 0.06
"""How often a week is named in each of the ways that are not its number."""
WORDS = {
    "en": ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    # Nobody writes "semaine un", and `scribe.figures` does not read it.
    "fr": ("", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze"),
}
ORDINALS = {
    "en": (
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ),
    "fr": (
        "première", "deuxième", "troisième", "quatrième", "cinquième", "sixième", "septième", "huitième", "neuvième",
        "dixième", "onzième", "douzième",
    ),
}  # fmt: skip
_SLOT = "{week}"
# What is quoted stays as it was written, and so does "week 4's".
_WEEK = {
    "en": re.compile(r"(?<![\w'’\"“«-])(?P<noun>[Ww]eek) {week}(?=$|[\s?.,:;!)…])"),
    "fr": re.compile(r"(?<![\w'’\"“«-])(?<!« )(?<!«\u00a0)(?P<noun>[Ss]emaine) {week}(?=$|[\s\u00a0?.,:;!)…])"),
}
# "Week 4 one pls": what counts on after the week would be read together with a word.
_COUNTS = re.compile(
    r"{week} (?:\d|(?:" + "|".join(word for words in WORDS.values() for word in words if word) + r"|ones)\b)",
    re.IGNORECASE,
)
# "The fourth week" is right only where "week 4" is no title and does not describe a noun ("week 4 exercises").
_BEFORE_PLACE = (
    "in", "for", "of", "before", "from", "about", "on", "with", "to", "during", "into", "after", "until", "till",
    "through", "by", "since", "regarding", "towards", "around", "befor", "follow", "understand", "understanding",
    "start", "starting", "prepare", "preparing", "explain", "does", "was", "did", "will", "can", "should", "would",
    "what", "that", "why", "when", "if", "made", "skip", "skipped", "ruined", "open", "finished", "begin", "survive",
    "covering",
)  # fmt: skip
_AFTER_PLACE = (
    "is", "was", "were", "and", "or", "to", "in", "for", "that", "so", "please", "pls", "plz", "but", "what", "i",
    "as", "have", "has", "had", "went", "with", "without", "will", "would", "should", "could", "starts", "begins",
    "opens", "comes", "looks", "if", "because", "be", "are", "from", "at", "by", "on", "did", "do", "does", "about",
    "where", "when", "how", "still", "needs", "requires", "builds", "goes", "lol", "instead", "compared",
    "already", "actually", "covers", "cover", "than", "then", "again", "properly", "apparently", "depends", "depend",
    "rely", "relies", "teach", "teaches", "treat", "treats", "deal", "deals",
)  # fmt: skip
_PLACE = {
    "en": re.compile(
        r"(?<![\w'’\"“«-])(?P<lead>(?:" + "|".join(_BEFORE_PLACE) + r") )(?P<article>(?:the|my) )?week {week}"
        r"(?=$|[?.,:;!)…]|\s+[?!.:(]|\s+(?:" + "|".join(_AFTER_PLACE) + r")\b)",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        # Nobody arrives "pendant" a week.
        r"(?<![\w'’\"“«-])(?<!arriver )(?P<lead>[Aa]vant )?(?P<article>[Ll]a|[Mm]a|[Ee]n) semaine {week}"
        r"(?=$|[\s\u00a0?.,:;!)…])"
    ),
}
_SHORT = {
    "en": ("wk {week}", "w{week}", "week{week}", "wk #{week}"),
    "fr": ("S{week}", "s{week}", "sem {week}", "sem. {week}"),
}
# Who writes whole sentences shortens less.
_SHORT_IN_SENTENCES = {"en": ("wk {week}", "W{week}", "week #{week}"), "fr": ("S{week}", "sem. {week}")}
# "The last week" alone is as often the week just over, except where something is to be done before it.
_LAST = {"en": ("final week", "last week of the course"), "fr": ("dernière semaine du cours",)}
_PLAIN_LAST = {"en": "last week", "fr": "dernière semaine"}
# "The last one" next to the last week would be another, and the course is not named twice.
_OTHER_LAST = re.compile(r"\b(?:last|final|cour|derni)", re.IGNORECASE)


def named(text: str, week: int, last: int, language: str, draw: random.Random) -> str:
    """The wording with its slot {week} filled, in a course that ends with week `last`.

    Another language than French is read as English. A week that the course lacks is always a number.
    """
    language = language if language in WORDS else "en"
    chance = draw.random()
    if not 1 <= week <= last:
        return _numbered(text, week)
    if chance < IN_WORDS:
        return in_words(text, week, language)
    if chance < IN_WORDS + BY_PLACE:
        return by_place(text, week, last, language, draw)
    if chance < IN_WORDS + BY_PLACE + SHORT:
        return shortened(text, week, language, draw)
    return _numbered(text, week)


def in_words(text: str, week: int, language: str) -> str:
    """Week four, semaine quatre; in digits where the number has no word here or the wording no place for one."""
    word = WORDS[language][week - 1] if week <= len(WORDS[language]) else ""
    if word and not _COUNTS.search(text):
        text = _WEEK[language].sub(lambda match: f"{match['noun']} {word}", text)
    return _numbered(text, week)


def by_place(text: str, week: int, last: int, language: str, draw: random.Random) -> str:
    """The fourth week, la quatrième semaine; the course's last week half the time as that."""
    noun = "semaine" if language == "fr" else "week"
    place = f"{ORDINALS[language][week - 1]} {noun}" if week <= len(ORDINALS[language]) else ""
    ends = week == last and not _OTHER_LAST.search(text) and draw.random() < 0.5
    end = draw.choice(_LAST[language]) if ends else ""
    put = _french if language == "fr" else _english
    return _numbered(_PLACE[language].sub(lambda match: put(match, place, end), text), week)


def shortened(text: str, week: int, language: str, draw: random.Random) -> str:
    """Wk 4, la S4."""
    short = draw.choice((_SHORT_IN_SENTENCES if text[:1].isupper() else _SHORT)[language])

    def put(match: re.Match[str]) -> str:
        return short[0].upper() + short[1:] if match["noun"][0].isupper() else short

    return _numbered(_WEEK[language].sub(put, text), week)


def _english(match: re.Match[str], place: str, end: str) -> str:
    lead, article = match["lead"], match["article"] or "the "
    if end and article.lower() == "the ":  # "my last week" is the one just over
        place = _PLAIN_LAST["en"] if lead.lower() == "before " else end
    return f"{lead}{article}{place}" if place else match[0]


def _french(match: re.Match[str], place: str, end: str) -> str:
    lead, article = match["lead"] or "", match["article"]
    if end and article.lower() != "ma":
        place = _PLAIN_LAST["fr"] if lead else end
    article = {"en": "pendant la", "En": "Pendant la"}.get(article, article)
    return f"{lead}{article} {place}" if place else match[0]


def _numbered(text: str, week: int) -> str:
    return text.replace(_SLOT, str(week))
