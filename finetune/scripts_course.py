"""Scripts for questions on the course: weeks, topics, rules, exercises, grades."""

from finetune.scripts_behaviour import no_such_week
from finetune.teacher import Brief, Result, Say, Script, ask, listed, typed

SUBJECTS = {
    "grading": "how the grade is made up",
    "pass mark": "pass mark",
    "quizzes": "quizzes and attempts",
    "homework": "homework",
    "late": "late homework and quizzes",
    "retake": "retakes",
    "exam": "final exam",
    "collaboration": "working together and using AI",
    "help": "office hours and forum",
    "regrade": "regrade requests",
    "workload": "workload per week",
    "certificate": "certificate",
    "accommodations": "accommodations",
    "attendance": "attendance",
}
"""What the teacher looks up in the syllabus for each subject of the wordings."""


def week_topics(brief: Brief) -> Script:
    """What a week is about."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    plan = yield ask(f"The student asks what week {week} is about.", "map_week_to_topic", week=week)
    quizzes = f"{plan['quizzes']} quizzes" if plan["quizzes"] else "no quizzes"
    text = (
        f"Week {week} is about {plan['title']}. Its topics are {listed(plan['topics'])}, and it has {quizzes}. "
        f"A good start is {plan['topics'][0]}."
    )
    return Say(f"I have the topics of week {week}.", text)


def prerequisites(brief: Brief) -> Script:
    """What a week or a topic builds on."""
    question = brief.question
    if "week" in question.slots:
        week = question.week
        if week > brief.weeks:
            return no_such_week(brief)
        thought = f"The student asks what week {week} builds on."
    else:
        topic = typed(question, question.slot("topic"))
        place = yield ask(
            f"The student asks what {topic} builds on. First I find its week.", "textbook_search", query=topic
        )
        if "no_data" in place:
            return Say("The textbook does not have it.", f"{place['no_data']} {place['try']}")
        week = place["week"]
        thought = f"It is taught in week {week}. Now I look up what week {week} builds on."
    found = yield ask(thought, "get_dependant_topics", week=week)
    if isinstance(found["needs"], str):
        text = f"Week {week}, {found['title']}, needs {found['needs']}. You can start with it right away."
        return Say(f"Week {week} needs nothing.", text)
    needs = [f"{need['topic']} (week {need['week']})" for need in found["needs"]]
    first = found["needs"][0]
    text = (
        f"Before week {week} you should know {listed(needs)}. {first['topic']} is needed for {first['for']}, because "
        f"{first['why']}. So review {first['topic']} in week {first['week']} first."
    )
    return Say(f"I know what week {week} builds on.", text)


def prepare_week(brief: Brief) -> Script:
    """How to prepare for a week: what it builds on, then exercises for the first of it."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    found = yield ask(
        f"The student wants to prepare for week {week}. First I look up what it builds on.",
        "get_dependant_topics",
        week=week,
    )
    if isinstance(found["needs"], str):
        text = f"Week {week}, {found['title']}, needs {found['needs']}, so you can begin with its first lecture."
        return Say(f"Week {week} needs nothing.", text)
    first = found["needs"][0]
    practice = yield ask(
        f"It builds on {first['topic']}. I look for exercises on it.", "exercise_search", query=first["topic"]
    )
    needs = [f"{need['topic']} (week {need['week']})" for need in found["needs"]]
    parts = [f"To prepare for week {week}, review {listed(needs)}."]
    if "exercises" in practice:
        parts.append(f"Then try {listed([_exercise(one) for one in practice['exercises'][:2]])}.")
    parts.append(f"{first['topic']} matters because {first['why']}.")
    return Say(f"I know what week {week} builds on and how to practise.", " ".join(parts))


def topic_when(brief: Brief) -> Script:
    """In which week a topic is taught."""
    topic = typed(brief.question, brief.question.slot("topic"))
    found = yield ask(f"The student asks when {topic} is taught.", "textbook_search", query=topic)
    if "no_data" in found:
        return Say("The textbook does not have it.", f"{found['no_data']} {found['try']}")
    text = f"It is taught in week {found['week']}. You find it in section {found['section']} of the textbook."
    return Say(f"It is in week {found['week']}.", text)


def concept(brief: Brief) -> Script:
    """What a topic is."""
    topic = typed(brief.question, brief.question.slot("topic"))
    found = yield ask(f"The student wants to understand {topic}.", "textbook_search", query=topic)
    if "no_data" in found:
        return Say("The textbook does not have it.", f"{found['no_data']} {found['try']}")
    text = f"{found['says']} Read section {found['section']} of week {found['week']} and try its question at the end."
    return Say("The textbook explains it.", text)


def exercises_topic(brief: Brief) -> Script:
    """Exercises on a topic."""
    topic = typed(brief.question, brief.question.slot("topic"))
    found = yield ask(f"The student wants exercises on {topic}.", "exercise_search", query=topic)
    return _exercises(found)


def exercises_week(brief: Brief) -> Script:
    """Exercises of a week."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    found = yield ask(
        f"The student wants exercises for week {week}.", "exercise_search", query="exercises", week=week
    )
    return _exercises(found)


def syllabus(brief: Brief) -> Script:
    """A rule of the course."""
    subject = SUBJECTS[brief.question.slot("subject")]
    found = yield ask(f"This is about the rules: {subject}.", "get_course_syllabus", query=subject)
    if "no_data" in found:
        return Say("The syllabus does not have it.", f"{found['no_data']} {found['try']}")
    text = f"{found['text']} You find this in the syllabus under {found['section']}."
    return Say(f"The syllabus says it under {found['section']}.", text)


def grade(brief: Brief) -> Script:
    """The grade so far and what is needed to pass."""
    found = yield ask("The student asks about their grade.", "grade_calculator")
    if "so_far" not in found:
        return Say("Nothing is graded yet.", f"{found['no_data']} {found['try']}")
    parts = [f"So far you have {found['so_far']}, and the pass mark is {found['pass_mark']}. {found['verdict']}"]
    if "needed_average" in found:
        parts.append(
            f"You still need {found['missing']}, and {found['still_open']} are open: "
            f"that is {found['needed_average']}."
        )
    if "weakest" in found:
        parts.append(f"Your weakest part was {found['weakest']}, so review that first.")
    return Say("I have the grade.", " ".join(parts))


def _exercises(found: Result) -> Say:
    if "no_data" in found:
        return Say("There is no such exercise.", f"{found['no_data']} {found['try']}")
    named = [_exercise(one) for one in found["exercises"]]
    text = f"These exercises fit: {listed(named)}. Start with {found['exercises'][0]['id']}."
    return Say("I found exercises.", text)


def _exercise(one: dict[str, str]) -> str:
    return f"{one['title']} ({one['id']})"
