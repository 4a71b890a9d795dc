"""A question with what it means, and whom it may be asked for in training."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.reading.known_questions import AGAIN

INTENTS = {
    "week_why": 10,
    "week_well": 6,
    "weaknesses": 6,
    "strengths": 5,
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

FOLLOWED = {
    **dict.fromkeys(AGAIN, ("week_topics", "week_why", "week_well", "prerequisites", "exercises_week")),
    "feature_meaning": ("week_why", "week_well", "weaknesses", "strengths"),
    "week_why": ("week_well", "strengths"),
    "week_well": ("week_why", "weaknesses"),
    "week_topics": ("prerequisites", "exercises_week"),
    "prerequisites": ("week_topics", "exercises_week"),
    "concept": ("topic_when", "exercises_topic"),
    "exercises_topic": ("concept", "topic_when", "exercises_topic"),
    "behaviour_impact": ("feature_meaning", "week_why", "week_well", "weaknesses", "strengths"),
    "grade": ("week_why", "improve", "syllabus"),
    "next_week": ("week_why", "improve", "grade", "weaknesses"),
    "exercises_week": ("week_topics", "prerequisites"),
    "topic_when": ("concept", "exercises_topic"),
    "syllabus": ("syllabus", "grade", "topic_when", "exercises_week", "improve", "concept"),
    "smalltalk": ("week_why", "concept", "grade", "syllabus"),
}
"""Which intents the exchange before may have for a follow-up to make sense."""

TAKEN = {
    "week_topics": "week",
    "week_why": "week",
    "week_well": "week",
    "prerequisites": "week",
    "exercises_week": "week",
    "concept": "topic",
    "exercises_topic": "topic",
    "topic_when": "topic",
}
"""What a follow-up takes from the question before it when its wording does not say."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what it means: the intent, the slots' values, and the question it follows.

    second: what is asked in the same breath, in a question that asks two things; `text` then holds both.
    """

    intent: str
    text: str
    slots: dict[str, str | int] = field(default_factory=dict)
    earlier: "Question | None" = None
    wording: str = ""
    second: "Question | None" = None

    @property
    def week(self) -> int:
        """The week asked about."""
        return int(self.slots["week"])

    def slot(self, name: str) -> str:
        """A slot's value as text."""
        return str(self.slots[name])


def split_students(ids: Sequence[str]) -> tuple[list[str], list[str]]:
    """Students for training and the tenth that is held out for evaluation."""
    held = [student for place, student in enumerate(sorted(ids)) if place % 10 == 9]
    return [student for student in ids if student not in held], held
