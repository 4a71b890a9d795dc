"""What a question of the training sample follows: what was asked before it, so that "is high good?" can be told apart.

Behind a behaviour's meaning that asks about the behaviour, behind a topic's about nothing that we have. Mostly wider
than what lessons are drawn from (`finetune.questions.question.FOLLOWED`): here no answer has to be composed.
"""

import random
from functools import cache

from tools.reading.known_questions import AGAIN, OF_TOPIC, OUTSIDE, SMALL_TALK, Known, asks, kinds, subjects

UNKNOWN, ANYTHING = 0.1, 0.1
"""How often it is not known what was asked before, and how often it is something that leads nowhere."""
SAME_RULE = 0.4
"""How often a question on a rule that leans on another is on the same rule again."""
HABITS = (
    "week_why",
    "week_well",
    "weaknesses",
    "strengths",
    "feature_meaning",
    "behaviour_impact",
    "improve",
    "report_summary",
)
TOPICS = ("concept", "exercises_topic", "topic_when", "prerequisites", OF_TOPIC)
WEEKS = ("week_topics", "prerequisites", "exercises_week", "prepare_week", "next_week")
RULES = ("syllabus",)
SUPPOSED = {
    **dict.fromkeys(AGAIN.keys() - {"same"}, (*WEEKS, "week_why", "week_well")),
    "same": (*HABITS, *TOPICS, *WEEKS, *RULES, "grade"),
    "feature_meaning": HABITS,
    "behaviour_impact": HABITS,
    "week_why": (*HABITS, "grade"),
    "week_well": HABITS,
    "concept": (*TOPICS, *WEEKS),
    "exercises_topic": (*TOPICS, "week_topics"),
    "topic_when": TOPICS,
    "prerequisites": (*TOPICS, *WEEKS),
    "week_topics": (*WEEKS, "topic_when"),
    "exercises_week": (*WEEKS, *TOPICS, "improve"),
    "grade": ("grade", *RULES, *HABITS),
    "next_week": ("grade", *HABITS, *WEEKS),
    "syllabus": (*RULES, "grade", "improve", "exercises_week", "week_topics"),
}
"""Which kinds of question may go before one that leans on it; before small talk any."""


def earlier(one: Known, draw: random.Random) -> str:
    """What may have been asked before a wording, as hints say it; empty for what is not known."""
    chance = draw.random()
    if chance < UNKNOWN:
        return ""
    rule = one.asks in _rules()
    if one.leaning and rule and draw.random() < SAME_RULE:
        return one.asks
    supposed = SUPPOSED.get("syllabus" if rule else _kind(one.asks)) if one.leaning else None
    if supposed is None or chance < UNKNOWN + ANYTHING:
        supposed = _anything()
    kind = draw.choice(supposed)
    return draw.choice(_rules()) if kind == "syllabus" else asks(kind)


def _kind(asked: str) -> str:
    return next((kind for kind in (*kinds(), *AGAIN) if kind != "syllabus" and asks(kind) == asked), "")


@cache
def _rules() -> tuple[str, ...]:
    return tuple(asks("syllabus", subject) for subject in subjects())


@cache
def _anything() -> tuple[str, ...]:
    """All but what is passed over when one looks for what was talked about."""
    return tuple(kind for kind in (*kinds(), OF_TOPIC) if kind not in {SMALL_TALK, OUTSIDE})
