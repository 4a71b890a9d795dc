"""Questions as students might type them, generated from the wordings in `tools/questions/`.

Each wording belongs to an intent and may have slots ({week}, {topic}, {feature}, {behaviour}, {student}).
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from data.bundle import Course
from data.catalogue import Catalogue
from tools.known_questions import wordings

INTENTS = {
    "week_why": 10,
    "week_well": 6,
    "feature_meaning": 6,
    "behaviour_impact": 8,
    "improve": 6,
    "next_week": 6,
    "prepare_week": 6,
    "week_topics": 5,
    "prerequisites": 7,
    "topic_when": 4,
    "syllabus": 9,
    "concept": 6,
    "exercises_topic": 5,
    "exercises_week": 4,
    "grade": 6,
    "report_summary": 5,
    "out_of_scope": 6,
    "other_student": 3,
    "smalltalk": 3,
    "follow_up": 14,
}
"""Every intent with its weight in a mixture."""

NAMES = ("Anna", "Ben", "Chloe", "David", "Emma", "Farid", "Giulia", "Hugo", "Ines", "Kenza", "Luca", "Omar")
FOLLOWED = {
    "same": ("week_topics", "week_why", "week_well", "prerequisites", "exercises_week"),
    "feature_meaning": ("week_why", "week_well"),
    "week_why": ("week_well",),
    "week_well": ("week_why",),
    "week_topics": ("prerequisites", "exercises_week"),
    "prerequisites": ("week_topics", "exercises_week"),
    "concept": ("topic_when", "exercises_topic"),
    "exercises_topic": ("concept", "topic_when"),
    "grade": ("week_why", "improve", "syllabus"),
    "next_week": ("week_why", "improve", "grade"),
    "smalltalk": ("week_why", "concept", "grade", "syllabus"),
}
"""Which intents the exchange before may have for a follow-up to make sense."""

TAKEN = {
    "week_topics": "week",
    "week_why": "week",
    "week_well": "week",
    "prerequisites": "week",
    "concept": "topic",
    "exercises_topic": "topic",
}
"""What a follow-up takes from the question before it when its wording does not say."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what it means: the intent, the slots' values, and the question it follows."""

    intent: str
    text: str
    slots: dict[str, str | int] = field(default_factory=dict)
    earlier: "Question | None" = None
    wording: str = ""

    @property
    def week(self) -> int:
        """The week asked about."""
        return int(self.slots["week"])

    def slot(self, name: str) -> str:
        """A slot's value as text."""
        return str(self.slots[name])


class Generator:
    """Draws questions about one course. The same seed gives the same questions."""

    def __init__(self, course: Course, catalogue: Catalogue, seed: int, held_out: bool = False) -> None:
        self.course = course
        self.held_out = held_out
        self.random = random.Random(seed)
        self.features = [(entry.label, entry.name) for entry in catalogue]
        self.topics = [topic for week in course.plan for topic in week.topics if not topic.startswith("What")]

    def draw(self, count: int) -> Iterator[Question]:
        """Questions in the mixture of INTENTS."""
        for intent in self.random.choices(list(INTENTS), list(INTENTS.values()), k=count):
            yield self.follow_up() if intent == "follow_up" else self.one(intent)

    def one(self, intent: str) -> Question:
        """A question of this intent that stands alone."""
        wording = self.random.choice(wordings(intent, self.held_out))
        slots: dict[str, str | int] = {}
        if intent == "syllabus":
            slots["subject"], wording = wording.split("\t", 1)
        return self._filled(Question(intent, wording, slots, wording=wording))

    def typed(self, wording: str) -> str:
        """One wording as somebody might type it, its slots filled."""
        return self._filled(Question("", wording, wording=wording)).text

    def follow_up(self) -> Question:
        """A question that leans on one before it."""
        line = self.random.choice(wordings("follow_up", self.held_out))
        kind, wording = line.split("\t", 1)
        earlier = self.one(self.random.choice(FOLLOWED[kind]))
        while _outside(earlier, self.course) or _lacks(kind, wording, earlier):
            earlier = self.one(self.random.choice(FOLLOWED[kind]))
        intent = earlier.intent if kind == "same" else kind
        inherited = {} if kind == "smalltalk" else {k: v for k, v in earlier.slots.items() if k != "feature"}
        question = Question(intent, wording, dict(inherited), replace(earlier), wording)
        return self._filled(question, inherited=True)

    def _filled(self, question: Question, inherited: bool = False) -> Question:
        """The question with its slots drawn and its manner roughened."""
        slots = dict(question.slots)
        text = question.text
        needed = set(re.findall(r"{(\w+)}", text))
        for name in sorted(needed):
            value, shown = self._value(name, question.intent, slots)
            slots[name] = value
            text = text.replace(f"{{{name}}}", shown)
        if question.intent == "next_week" and "week" not in needed:
            slots["week"] = self.course.weeks_done + 1
        return replace(question, text=self._manner(text), slots=slots)

    def _value(self, name: str, intent: str, slots: dict[str, str | int]) -> tuple[str | int, str]:
        match name:
            case "week":
                week = self._week(intent, slots.get("week"))
                return week, str(week)
            case "topic":
                topic = self.random.choice(self.topics)
                return topic, topic if self.random.random() < 0.5 else _lowered(topic)
            case "feature":
                label, code = self.random.choice(self.features)
                shown = code if self.random.random() < 0.25 else label
                return shown, shown
            case "behaviour":
                lines = wordings("behaviours", self.held_out)
                phrase = self.random.choice(lines).split("\t", 1)[1]
                return phrase, phrase
            case "student":
                who = self.random.choice([*NAMES, f"s{self.random.randint(1, 200):03d}"])
                return who, who
        raise KeyError(name)

    def _week(self, intent: str, not_this: str | int | None) -> int:
        course, chance = self.course, self.random.random()
        if chance < 0.03:
            return self.random.randint(course.weeks + 1, course.weeks + 10)
        recorded = intent in ("week_why", "week_well") and chance > 0.12
        low = course.weeks_done + 1 if intent == "next_week" else 1
        high = course.weeks_done if recorded else course.weeks
        return self.random.choice([week for week in range(low, high + 1) if week != not_this])

    def _manner(self, text: str) -> str:
        """How students type: lower case, no punctuation, a greeting, a slip of the finger."""
        draw = self.random.random
        if draw() < 0.3:
            text = _lowered(text)
        if draw() < 0.3:
            text = text.rstrip("?.! ")
        if draw() < 0.06:
            text = self.random.choice(("Hi, ", "hello ", "hey, ", "Hi! ", "please: ", "Ok. ")) + text
        if draw() < 0.05:
            text += self.random.choice((" please", " pls", " thanks", " thx", "??", " :("))
        return self._slip(text) if draw() < 0.06 else text

    def _slip(self, text: str) -> str:
        words = list(re.finditer(r"[a-z]{5,}", text))
        if not words:
            return text
        word = self.random.choice(words)
        at = self.random.randrange(word.start() + 1, word.end() - 1)
        swapped = text[at + 1] + text[at]
        return text[:at] + self.random.choice((swapped, text[at + 1])) + text[at + 2 :]


def _lowered(text: str) -> str:
    """Lower case but for words in capitals, such as DFT, and names such as DelayLecture."""
    return re.sub(r"\b[A-Z][a-z]+\b", lambda match: match.group().lower(), text)


def _outside(question: Question, course: Course) -> bool:
    week = question.slots.get("week")
    return isinstance(week, int) and week > course.weeks


def _lacks(kind: str, wording: str, earlier: Question) -> bool:
    """Whether a follow-up takes something from the question before that it does not have."""
    taken = TAKEN.get(kind, "")
    return bool(taken) and f"{{{taken}}}" not in wording and taken not in earlier.slots


def split_students(ids: Sequence[str]) -> tuple[list[str], list[str]]:
    """Students for training and the tenth that is held out for evaluation."""
    held = [student for place, student in enumerate(sorted(ids)) if place % 10 == 9]
    return [student for student in ids if student not in held], held
