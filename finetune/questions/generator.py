"""Draws questions from the wordings in `tools/questions/`, in the course's language.

Each wording belongs to an intent and may have slots ({week}, {topic}, {feature}, {behaviour}, {student}).
"""

import random
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from data.bundle import Course
from data.catalogue import Catalogue
from finetune.questions import weeks
from finetune.questions.manner import Manner, lowered
from finetune.questions.question import FOLLOWED, INTENTS, TAKEN, Question
from finetune.questions.spans import spans
from tools.reading.known_questions import AGAIN, leaning, wordings

_VOWEL = re.compile(r"[aeiouyàâéèêëîïôûœ]", re.IGNORECASE)
SEARCHED = ("concept", "exercises_topic")
LOOKED_UP = (*SEARCHED, "topic_when", "prerequisites")
"""Kinds of question on a topic: SEARCHED ones search texts for it, and LOOKED_UP ones find its week there at least."""
ELSEWHERE, SECTIONS, SPANS = 0.08, 0.25, 0.6
"""Of questions that search: how often a topic that is not taught; up to where a section's title; up to where words of
the textbook, also of those that look up. Students ask about what they read, and most of it is no topic of the plan.
"""
TRANSLATED = 0.7
"""How often somebody who asks in English names a topic in English, where it has such a name."""
NAMES = ("Anna", "Ben", "Chloe", "David", "Emma", "Farid", "Giulia", "Hugo", "Ines", "Kenza", "Luca", "Omar")


class Generator:
    """Draws questions about one course, by default in its language. The same seed gives the same questions."""

    def __init__(
        self, course: Course, catalogue: Catalogue, seed: int, held_out: bool = False, language: str = ""
    ) -> None:
        self.course = course
        self.language = language or course.language
        self.held_out = held_out
        self.random = random.Random(seed)
        self.features = [(entry.label, entry.name) for entry in catalogue]
        self.topics = [topic for week in course.plan for topic in week.topics if not topic.startswith("What")]
        self._sections = [section.title for section in course.textbook]
        self._spans = spans(tuple(course.textbook))
        self.manner = Manner(self.random, self.language)

    def draw(self, count: int) -> Iterator[Question]:
        """Questions in the mixture of INTENTS."""
        for intent in self.random.choices(list(INTENTS), list(INTENTS.values()), k=count):
            yield self.follow_up() if intent == "follow_up" else self.one(intent)

    def one(self, intent: str, subject: str = "") -> Question:
        """A question of this intent that stands alone; `subject`: only on this rule of the course."""
        among = self._wordings(intent)
        wording = self.random.choice([line for line in among if line.startswith(f"{subject}\t")] or among)
        slots: dict[str, str | int] = {}
        if intent == "syllabus":
            slots["subject"], wording = wording.split("\t", 1)
        return self._filled(Question(intent, wording, slots, wording=wording))

    def typed(self, wording: str, intent: str = "") -> str:
        """One wording as somebody might type it, its slots filled as for this intent."""
        return self._filled(Question(intent, wording, wording=wording)).text

    def follow_up(self) -> Question:
        """A question that leans on one before it."""
        kind, subject, wording = leaning(self.random.choice(self._wordings("follow_up")))
        about = subject or ("pass mark" if kind == "grade" else "")
        earlier = self.one(self.random.choice(FOLLOWED[kind]), about)
        while _outside(earlier, self.course, AGAIN.get(kind, 0)) or _lacks(kind, wording, earlier):
            earlier = self.one(self.random.choice(FOLLOWED[kind]), about)
        inherited = {} if kind == "smalltalk" else {k: v for k, v in earlier.slots.items() if k != "feature"}
        if subject:
            inherited = {"subject": subject}
        if AGAIN.get(kind):
            inherited["week"] = earlier.week + AGAIN[kind]
        intent = earlier.intent if kind in AGAIN else kind
        return self._filled(Question(intent, wording, inherited, replace(earlier), wording))

    def _wordings(self, name: str) -> tuple[str, ...]:
        return wordings(name, self.held_out, self.language)

    def _filled(self, question: Question) -> Question:
        """The question with its slots drawn and its manner roughened."""
        slots = dict(question.slots)
        text = question.text
        needed = set(re.findall(r"{(\w+)}", text))
        for name in sorted(needed):
            value, shown = self._value(name, question.intent, slots)
            slots[name] = value
            if name == "week":
                text = weeks.named(text, int(value), self.course.weeks, self.language, self.random)
            else:
                text = filled(text, name, shown, self.language)
        if question.intent == "next_week" and "week" not in needed:
            slots["week"] = self.course.weeks_done + 1
        return replace(question, text=self.manner.roughened(text), slots=slots)

    def _value(self, name: str, intent: str, slots: dict[str, str | int]) -> tuple[str | int, str]:
        match name:
            case "week":
                week = self._week(intent, slots.get("week"))
                return week, str(week)
            case "topic":
                topic = self._foreign(self._topic(intent))
                return topic, topic if self.random.random() < 0.5 else lowered(topic, self.manner.language)
            case "feature":
                label, code = self.random.choice(self.features)
                shown = code if self.random.random() < 0.25 else label
                return shown, shown
            case "behaviour":
                phrase = self.random.choice(self._wordings("behaviours")).split("\t", 1)[1]
                return phrase, phrase
            case "student":
                who = self.random.choice([*NAMES, f"s{self.random.randint(1, 200):03d}"])
                return who, who
        raise KeyError(name)

    def _topic(self, intent: str) -> str:
        """A topic of the plan; where texts are searched, also what these say, or none of the course."""
        chance = self.random.random() if intent in LOOKED_UP else 1.0
        among: Sequence[str] = self._spans if chance < SPANS else ()
        if intent in SEARCHED and chance < SECTIONS:
            among = _elsewhere().get(self.language, ()) if chance < ELSEWHERE else self._sections
        return self.random.choice(among or self.topics)

    def _foreign(self, topic: str) -> str:
        """The topic, mostly by its English name in a question that is not in the course's language, if it has one."""
        other = self.course.english(topic) if self.language != self.course.language else ""
        return other if other and self.random.random() < TRANSLATED else topic

    def _week(self, intent: str, not_this: str | int | None) -> int:
        course, chance = self.course, self.random.random()
        if chance < 0.03:
            return self.random.randint(course.weeks + 1, course.weeks + 10)
        recorded = intent in ("week_why", "week_well") and chance > 0.12
        low = course.weeks_done + 1 if intent == "next_week" else 1
        high = course.weeks_done if recorded else course.weeks
        return self.random.choice([week for week in range(low, high + 1) if week != not_this])


def filled(text: str, name: str, shown: str, language: str) -> str:
    """The wording with a slot filled; in French « de » and « que » are cut short before a vowel.

    Labels of features are not French, and nobody elides before what they copy.
    """
    if language == "fr" and name != "feature" and _VOWEL.match(shown):
        text = re.sub(rf"\b([Dd]|[Qq]u)e (?={{{name}}})", r"\1'", text)
    return text.replace(f"{{{name}}}", shown)


@cache
def _elsewhere() -> dict[str, list[str]]:
    content: dict[str, list[str]] = tomllib.loads(
        files(__package__).joinpath("elsewhere.toml").read_text(encoding="utf-8")
    )
    return content


def _outside(question: Question, course: Course, further: int = 0) -> bool:
    """Whether the course lacks the week that is asked about, or the one so many weeks further on."""
    week = question.slots.get("week")
    return isinstance(week, int) and not (week <= course.weeks and 1 <= week + further <= course.weeks)


def _lacks(kind: str, wording: str, earlier: Question) -> bool:
    """Whether a follow-up takes something from the question before that it does not have."""
    taken = "week" if AGAIN.get(kind) else TAKEN.get(kind, "")
    return bool(taken) and f"{{{taken}}}" not in wording and taken not in earlier.slots
