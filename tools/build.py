"""All tools of one student in one course."""

from data.catalogue import Catalogue
from data.catalogue_languages import catalogue_in
from data.course import Course
from scribe.tool import Identity, Tool, Toolbox
from tools import (
    exercise_search,
    get_course_syllabus,
    get_dependant_topics,
    get_feature_description,
    grade_calculator,
    impact_of_student_behaviors,
    map_week_to_topic,
    sort_student_features_with_importance,
    textbook_search,
    web_search,
)
from tools.phrases import phrases
from tools.search.vault import Vault
from tools.web_search import WebSearch


def toolbox(
    course: Course, student_id: str, index: Vault, catalogue: Catalogue | None = None, web: WebSearch | None = None
) -> Toolbox:
    """The nine tools, bound to this student. Raises UnknownStudent for an id the course does not have.

    With `web` there is a tenth, `web_search`, which nothing is ever trained with.

    Share one `index` among all students and courses: it holds the embedding model and its vectors,
    which are made at the first search only. `catalogue` must be in the course's language.
    """
    student = course.student(student_id)
    features = catalogue or catalogue_in(course.language)
    tools: tuple[Tool, ...] = (
        map_week_to_topic.make(course),
        get_dependant_topics.make(course),
        get_course_syllabus.make(course, index),
        textbook_search.make(course, index),
        exercise_search.make(course, index),
        grade_calculator.make(course, student),
        sort_student_features_with_importance.make(course, student, features),
        get_feature_description.make(features, phrases(course.language)),
        impact_of_student_behaviors.make(course, features, index),
    )
    if web is not None:
        tools = (*tools, web_search.make(web, course.language))
    return Toolbox(tools, Identity(student.id, course.id, (course.title, *course.aliases)))
