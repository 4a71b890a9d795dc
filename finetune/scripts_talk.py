"""Scripts for what needs no tool: talk, other students, other subjects. And the table of all scripts."""

import re
from collections.abc import Callable

from finetune import scripts_behaviour as behaviour
from finetune import scripts_course as course
from finetune.teacher import Brief, Say, Script

THANKS = re.compile(r"\b(thank|thanks|thx|ty|cheers|merci|helps|helped|great|perfect|cool|nice|awesome)", re.IGNORECASE)
PARTING = re.compile(r"\b(bye|goodbye|good night|see you|ciao|later|that.s all)\b", re.IGNORECASE)


def out_of_scope(brief: Brief) -> Script:
    """Not about this course."""
    return Say(
        f"{brief.asked()} So I decline.",
        "I can only help with this course and your feedback report, so I cannot help with that. You could ask me "
        "about your report, about a week of the course, or about your grade.",
    )
    yield


def other_student(brief: Brief) -> Script:
    """Somebody else's data."""
    return Say(
        f"{brief.asked()} So I decline.",
        "I can only show your own data, not that of other students. You could ask me about your own grade or your "
        f"own week {brief.weeks_done} instead.",
    )
    yield


def smalltalk(brief: Brief) -> Script:
    """A greeting, thanks, or who are you."""
    if PARTING.search(brief.question.text):
        text = "Goodbye, and good luck with the course! I am here when you need me."
        return Say(f"{brief.asked()} The student says goodbye.", text)
    if THANKS.search(brief.question.text) or brief.question.earlier:
        text = "You are welcome! Ask me any time about your report or the course."
        return Say(f"{brief.asked()} The student is content.", text)
    return Say(
        f"{brief.asked()} I say what I can do.",
        "Hello! I am Scribe, your assistant for this course. You can ask me about your feedback report, your grade, "
        "the topics of a week, or exercises.",
    )
    yield


SCRIPTS: dict[str, Callable[[Brief], Script]] = {
    "week_why": behaviour.week_why,
    "week_well": behaviour.week_well,
    "feature_meaning": behaviour.feature_meaning,
    "behaviour_impact": behaviour.behaviour_impact,
    "improve": behaviour.improve,
    "next_week": behaviour.next_week,
    "report_summary": behaviour.report_summary,
    "week_topics": course.week_topics,
    "prerequisites": course.prerequisites,
    "prepare_week": course.prepare_week,
    "topic_when": course.topic_when,
    "concept": course.concept,
    "exercises_topic": course.exercises_topic,
    "exercises_week": course.exercises_week,
    "syllabus": course.syllabus,
    "grade": course.grade,
    "out_of_scope": out_of_scope,
    "other_student": other_student,
    "smalltalk": smalltalk,
}
"""What the teacher does for each intent."""

ACCEPTABLE: dict[str, frozenset[str]] = {
    "week_why": frozenset({"sort_student_features_with_importance"}),
    "week_well": frozenset({"sort_student_features_with_importance"}),
    "feature_meaning": frozenset({"get_feature_description"}),
    "behaviour_impact": frozenset({"impact_of_student_behaviors"}),
    "improve": frozenset({"sort_student_features_with_importance", "impact_of_student_behaviors"}),
    "next_week": frozenset({"sort_student_features_with_importance", "map_week_to_topic", "get_dependant_topics"}),
    "week_topics": frozenset({"map_week_to_topic"}),
    "prerequisites": frozenset({"get_dependant_topics", "textbook_search"}),
    "prepare_week": frozenset({"get_dependant_topics", "map_week_to_topic"}),
    "topic_when": frozenset({"textbook_search"}),
    "concept": frozenset({"textbook_search"}),
    "exercises_topic": frozenset({"exercise_search"}),
    "exercises_week": frozenset({"exercise_search"}),
    "syllabus": frozenset({"get_course_syllabus"}),
    "grade": frozenset({"grade_calculator"}),
}
"""The first tools that fit an intent; an intent that is not here needs none."""
