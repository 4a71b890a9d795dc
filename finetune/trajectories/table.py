"""What each kind of question needs: its script, the tools that are essential, and the tools that may come first."""

from collections.abc import Callable, Iterable

from finetune.trajectories import behaviour, course, talk
from finetune.trajectories.moves import Brief, Script

SORT = "sort_student_features_with_importance"
IMPACT = "impact_of_student_behaviors"

SCRIPTS: dict[str, Callable[[Brief], Script]] = {
    "week_why": behaviour.week_why,
    "week_well": behaviour.week_well,
    "weaknesses": behaviour.weaknesses,
    "strengths": behaviour.strengths,
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
    "out_of_scope": talk.out_of_scope,
    "other_student": talk.other_student,
    "smalltalk": talk.smalltalk,
}
"""What the expert does for each intent."""

WAYS = {
    "week_why": 2,
    "week_well": 2,
    "behaviour_impact": 2,
    "improve": 2,
    "next_week": 2,
    "prerequisites": 2,
    "prepare_week": 2,
    "concept": 2,
    "exercises_topic": 2,
}
"""How many valid orders of calls the expert knows; one where nothing is said."""

ESSENTIAL: dict[str, tuple[frozenset[str], ...]] = {
    "week_why": (frozenset({SORT}),),
    "week_well": (frozenset({SORT}),),
    "weaknesses": (frozenset({SORT}),),
    "strengths": (frozenset({SORT}),),
    "feature_meaning": (frozenset({"get_feature_description"}),),
    "behaviour_impact": (frozenset({IMPACT}),),
    "improve": (frozenset({SORT}), frozenset({IMPACT})),
    "next_week": (frozenset({"map_week_to_topic"}), frozenset({"get_dependant_topics"}), frozenset({SORT})),
    "week_topics": (frozenset({"map_week_to_topic"}),),
    "prerequisites": (frozenset({"get_dependant_topics"}),),
    "prepare_week": (frozenset({"get_dependant_topics"}), frozenset({"map_week_to_topic", "exercise_search"})),
    "topic_when": (frozenset({"textbook_search"}), frozenset({"map_week_to_topic"})),
    "concept": (frozenset({"textbook_search"}),),
    "exercises_topic": (frozenset({"exercise_search"}),),
    "exercises_week": (frozenset({"exercise_search"}),),
    "syllabus": (frozenset({"get_course_syllabus"}),),
    "grade": (frozenset({"grade_calculator"}),),
}
"""The tools without which a question cannot be answered, in alternatives of which one is enough; none needs none."""

ACCEPTABLE: dict[str, frozenset[str]] = {
    "week_why": frozenset({SORT}),
    "week_well": frozenset({SORT}),
    "weaknesses": frozenset({SORT}),
    "strengths": frozenset({SORT}),
    "feature_meaning": frozenset({"get_feature_description"}),
    "behaviour_impact": frozenset({IMPACT}),
    "improve": frozenset({SORT, IMPACT}),
    "next_week": frozenset({SORT, "map_week_to_topic", "get_dependant_topics"}),
    "week_topics": frozenset({"map_week_to_topic"}),
    "prerequisites": frozenset({"get_dependant_topics", "textbook_search", "map_week_to_topic"}),
    "prepare_week": frozenset({"get_dependant_topics", "map_week_to_topic"}),
    "topic_when": frozenset({"textbook_search"}),
    "concept": frozenset({"textbook_search"}),
    "exercises_topic": frozenset({"exercise_search", "textbook_search"}),
    "exercises_week": frozenset({"exercise_search"}),
    "syllabus": frozenset({"get_course_syllabus"}),
    "grade": frozenset({"grade_calculator"}),
}
"""The first tools that fit an intent; an intent that is not here needs none."""


def has_essential(intent: str, called: Iterable[str]) -> bool:
    """Whether these tools are enough for a question of this intent."""
    tools = set(called)
    return any(way <= tools for way in ESSENTIAL.get(intent, (frozenset(),)))
