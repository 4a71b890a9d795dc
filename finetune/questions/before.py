"""What was answered before: the answer that a follow-up leans on, composed from the course and the student's report.

Nothing is searched and nothing reasoned, so some questions get no answer here. Behaviours are told in the report's own
words. They are in the language of the question, quotes from reports English, those from a course in its own; its rules
in English where they were translated.
"""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from rapidfuzz import fuzz, process

from data.catalogue_languages import catalogue_in
from data.course import Course
from data.standing import standing
from finetune.questions.question import Question
from tools.reading.known_questions import rule
from tools.wording import sentences

_MOST, _ALIKE = 3, 75
_PLANNED = ("prerequisites", "topic_when")
"""Kinds of question whose answer is found in the plan, so only for its topics."""


class Before:
    """Answers one student's earlier questions on one report."""

    def __init__(self, course: Course, student: str, theory: str, language: str = "") -> None:
        self._course = course
        self._language = language or course.language
        self._student = course.student(student)
        self._report = self._student.reports[theory]
        self._say = _sentences(self._language)

    def answer(self, question: Question) -> str | None:
        """The answer, or None if these few means give none."""
        week, topic = question.slots.get("week"), str(question.slots.get("topic", ""))
        if topic and question.intent in _PLANNED and topic not in self._course.topics:
            return None
        match question.intent:
            case "week_why" | "week_well" if week:
                # A report tells one who will pass of strengths, and one who will fail of weaknesses.
                praised = self._student.predicted == "pass"
                return self._week(int(week)) if praised is (question.intent == "week_well") else None
            case "weaknesses" | "strengths":
                praised = self._student.predicted == "pass"
                return self._said(self._points()) if praised is (question.intent == "strengths") else None
            case "improve":
                return self._advice()
            case "week_topics" if week:
                topics = self._listed(self._course.week(int(week)).topics)
                return self._say["week_topics"].format(week=week, topics=topics)
            case "prerequisites":
                return self._needed(int(week)) if week else self._needed(self._course.week_of(topic))
            case "topic_when":
                return self._say["topic_when"].format(topic=topic, week=self._course.week_of(topic))
            case "exercises_week" if week:
                return self._exercises(str(week), [one.title for one in self._course.exercises if one.week == week])
            case "exercises_topic":
                return self._exercises(topic, [one.title for one in self._course.exercises if one.topic == topic])
            case "concept":
                return self._concept(topic)
            case "grade":
                return self._grade()
            case "feature_meaning":
                return self._meaning(question.slots.get("feature"))
            case "syllabus":
                return self._rule(question.slot("subject"))
        return None

    def _week(self, number: int) -> str | None:
        """What the report says on a week; nothing if it does not name it."""
        return self._said([each for each in self._points() if re.search(rf"\bweek {number}\b", each)])

    def _points(self) -> list[str]:
        """The sentences of the report's points."""
        points = re.findall(r"^- \*\*[^*]+\*\*(.+)$", self._report, re.MULTILINE)
        return [each.strip() for point in points for each in re.split(r"(?<=[.!?])\s+", point)]

    def _said(self, told: Sequence[str]) -> str | None:
        """The first few sentences, as the report's."""
        return self._say["report"].format(said=" ".join(told[:_MOST])) if told else None

    def _advice(self) -> str | None:
        found = re.search(r"^1\. (.+)$", self._report, re.MULTILINE)
        return self._say["report"].format(said=found.group(1).strip()) if found else None

    def _needed(self, week: int) -> str:
        topics = self._course.week(week).topics
        needs = [each.needs for each in self._course.prerequisites if each.topic in topics]
        earlier = [need for need in dict.fromkeys(needs) if self._course.week_of(need) < week]
        if not earlier:
            return self._say["needs_nothing"].format(week=week)
        named = [self._say["in_week"].format(topic=need, week=self._course.week_of(need)) for need in earlier[:_MOST]]
        return self._say["prerequisites"].format(week=week, topics=self._listed(named))

    def _exercises(self, what: str, titles: Sequence[str]) -> str | None:
        if not titles:
            return None
        of = "week" if what.isdigit() else "topic"
        return self._say[f"exercises_{of}"].format(what=what, titles=self._listed(titles[:_MOST]))

    def _concept(self, topic: str) -> str | None:
        """The first two sentences of the section of this name."""
        for section in self._course.textbook:
            if topic.casefold() in section.title.casefold():
                return " ".join(re.split(r"(?<=[.!?])\s+", " ".join(section.text.split()))[:2])
        return None

    def _meaning(self, name: object) -> str | None:
        """What a behaviour is, if the question names it as the catalogue does."""
        for one in catalogue_in(self._language):
            if name in (one.label, one.name):
                return self._say["meaning"].format(label=one.label, meaning=one.description.rstrip("."))
        return None

    def _rule(self, subject: str) -> str | None:
        """The first two sentences of the section of the syllabus whose title is most like the subject."""
        sections, language = self._course.rules_in(self._language)
        titles = [section.title for section in sections]
        best = process.extractOne(rule(subject, language), titles, scorer=fuzz.token_set_ratio, score_cutoff=_ALIKE)
        return " ".join(sentences(sections[best[2]].text)[:2]) if best else None

    def _grade(self) -> str | None:
        so_far = standing(self._course, self._student)
        if not so_far.graded:
            return None
        earned, graded = so_far.shown
        return self._say["grade"].format(earned=earned, graded=graded, mark=f"{self._course.pass_mark:g}")

    def _listed(self, names: Sequence[str]) -> str:
        """“a, b and c”."""
        return f" {self._say['and']} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


@cache
def _sentences(language: str) -> dict[str, str]:
    content: dict[str, Any] = tomllib.loads(files(__package__).joinpath("before.toml").read_text(encoding="utf-8"))
    told: dict[str, str] = content.get(language, content["en"])
    return told
