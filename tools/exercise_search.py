"""Exercises to practise with, by topic or week. Solutions stay with the course team."""

import re
from typing import Annotated, Any

from data.course import Course, Exercise
from scribe.tool import Tool
from tools.arguments import no_data, week_bounds, week_of, words_of
from tools.phrases import Phrases, phrases
from tools.search.material import material
from tools.search.own_words import found, strayed
from tools.search.vault import Vault
from tools.wording import shortened

POOR = 0.47
SHOWN = 3
_WEEK = re.compile(
    r"\b(?:weeks?|wk|w|semaines?|sem\.?)\s*(?:n°\s*)?(\d{1,2})\b"
    r"|\b(\d{1,2})\s*(?:st|nd|rd|th|e|re|ère|ème|eme|de|nde)\s+(?:week|semaine)\b",
    re.IGNORECASE,
)
# Words of a query that name no subject.
_ENGLISH = (
    r"an?|the|any|some|more|all|of|on|in|for|from|to|about|with|me|my|give|show|find|list|exercises?|"
    r"problems?|tasks?|questions?|practi[cs]e|homework|worksheets?|drills?|sets?"
)
_FRENCH = (
    r"une?|d|des?|du|l|l[ae]s?|quelques|plusieurs|autres|plus|sur|en|dans|pour|avec|aux?|à|propos|concernant|je|j|"
    r"m|me|moi|mes|mon|veux|voudrais|aimerais|cherche|peux|tu|pouvez|vous|donner?|donnez|montrer?|montrez|trouver?|"
    r"trouvez|faire|proposer?|proposez|lister?|exercices?|exos?|probl[èe]mes?|t[âa]ches?|questions?|entra[îi]ner?|"
    r"entra[îi]nement|pratiquer?|r[ée]viser|devoirs?|s[ée]ries?|svp|stp|merci|bonjour"
)
# Those who want others than they were shown; not "another question" or "nothing else".
_OTHERS = re.compile(
    r"\b(?:other|another|different) (?:(?!questions?\b|than\b)[\w-]+ )?(?:exercises?|ones?|tasks?|problems?)\b|"
    r"\bany others?\b|\bothers?\W*$|\b(?:another|une? autre)(?=\s*(?:$|[?!.,]))|\btoo (?:easy|simple)\b|"
    r"\bd['’]autres\b|\bautres? (?:exercices?|exos?|probl[èe]mes?)\b|\btrop (?:facile|simple)s?\b",
    re.IGNORECASE,
)
_EMPTY_WORDS = {
    language: re.compile(rf"(?<!\w)(?:{words})(?!\w)|[^\w/-]", re.IGNORECASE)
    for language, words in (("en", _ENGLISH), ("fr", f"{_FRENCH}|{_ENGLISH}"))
}


def make(course: Course, vault: Vault) -> Tool:
    """The tool for this course; it is the same for every student."""
    say = phrases(course.spoken)

    def exercise_search(
        query: str, week: Annotated[int | None, week_bounds(course)] = None, asked: str = ""
    ) -> dict[str, Any]:
        """Up to three exercises for practice on a topic, from one week if it is given."""
        said = words_of(query, say)
        number, subject = _parted(course, said)
        own_number, own = _parted(course, asked)
        exercises = material(course, vault)
        if number is None and own_number is not None and strayed(exercises.index, subject, asked):
            number, subject = own_number, own
        number = week if week is not None else number
        if number is not None:
            week_of(course, number)
            return _of_week(course, vault, number, subject, asked)
        best = found(exercises.index, exercises.search_exercises, subject or said, own, POOR)
        fitting = [hit.place for hit in best.hits if hit.named or hit.fit >= POOR]
        if not fitting:
            nothing = say("exercises.nothing", subject=shortened(best.subject, 8))
            return no_data(nothing, say("exercises.instead", last=course.weeks))
        return _told(say, [course.exercises[place] for place in fitting], asked)

    return Tool.of(exercise_search)


def _parted(course: Course, said: str) -> tuple[int | None, str]:
    """The week that is mentioned, if any, and the rest without words that name no subject."""
    mentioned = _WEEK.search(said)
    empty = _EMPTY_WORDS.get(course.language, _EMPTY_WORDS["en"])
    subject = " ".join(empty.sub(" ", _WEEK.sub(" ", said)).split())
    return (int(mentioned[1] or mentioned[2]) if mentioned else None), subject


def _of_week(course: Course, vault: Vault, week: int, subject: str, asked: str) -> dict[str, Any]:
    say = phrases(course.spoken)
    places = [place for place, exercise in enumerate(course.exercises) if exercise.week == week]
    if not places:
        return no_data(say("exercises.week_nothing", week=week), say("exercises.another_week"))
    if not subject:
        return _told(say, [course.exercises[place] for place in places], asked)
    hits = material(course, vault).search_exercises(subject)
    best = course.exercises[hits[0].place]
    if hits[0].named and all(hit.place not in places for hit in hits if hit.named):
        topic = say.named(best.topic)
        nothing = say("exercises.topic_nothing", week=week, topic=topic)
        return no_data(nothing, say("exercises.topic_week", topic=topic, week=best.week))
    return _told(say, [course.exercises[hit.place] for hit in hits if hit.place in places], asked)


def _told(say: Phrases, exercises: list[Exercise], asked: str) -> dict[str, Any]:
    """The first three, or for one who asks for others the next, if there are any."""
    if _OTHERS.search(asked):
        exercises = exercises[SHOWN:] or exercises
    shown = [say("exercises.exercise", title=shortened(one.title, 12), id=one.id) for one in exercises[:SHOWN]]
    key = "exercises.one" if len(shown) == 1 else "exercises.several"
    return {"says": say(key, exercises=say.listed(shown)), "start": say("exercises.start", id=exercises[0].id)}
