"""Scripts for questions on the course: weeks, topics, rules, exercises, grades."""

from finetune.trajectories.behaviour import joined, no_such_week
from finetune.trajectories.moves import Brief, Result, Say, Script, ask, called
from finetune.trajectories.sentences import sentence
from tools.reading.known_questions import rule


def week_topics(brief: Brief) -> Script:
    """What a week is about."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    plan = yield ask(brief.asked(f"week {week}"), "map_week_to_topic", week=week)
    return Say(f"I have the topics of week {week}.", f"{plan['says']} {plan['start']}")


def prerequisites(brief: Brief) -> Script:
    """What a week or a topic builds on."""
    question = brief.question
    if "week" in question.slots:
        week = question.week
        if week > brief.weeks:
            return no_such_week(brief)
        thought = brief.asked(f"week {week}")
        if brief.way:
            yield ask(f"{thought} First I see what it is about.", "map_week_to_topic", week=week)
            thought = "Now I look up what it builds on."
    else:
        topic = called(brief, question.slot("topic"))
        place = yield ask(f"{brief.asked(topic)} First I find its week.", "textbook_search", query=topic)
        if "no_data" in place:
            return Say("The textbook does not have it.", f"{place['no_data']} {place['try']}")
        week = place["week"]
        thought = f"It is taught in week {week}. Now I look up what week {week} builds on."
    found = yield ask(thought, "get_dependant_topics", week=week)
    return Say(f"I know what week {week} builds on.", joined([found["says"], found.get("why"), found.get("review")]))


def prepare_week(brief: Brief) -> Script:
    """How to prepare for a week: what it builds on, then exercises for the first of it."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    asked, plan = brief.asked(f"week {week}"), None
    if brief.way:
        plan = yield ask(f"{asked} First I see what it is about.", "map_week_to_topic", week=week)
    thought = "Now I look up what it builds on." if plan else f"{asked} First I look up what it builds on."
    found = yield ask(thought, "get_dependant_topics", week=week)
    about = plan["says"] if plan else None
    if "first" not in found:
        return Say(f"Week {week} needs nothing.", joined([about, found["says"]]))
    practice = yield ask(
        f"It builds on {found['first']}. I look for exercises on it.", "exercise_search", query=found["first"]
    )
    parts = [about, found["says"], found["why"], practice.get("says"), practice.get("start")]
    return Say(f"I know what week {week} builds on and how to practise.", joined(parts))


def topic_when(brief: Brief) -> Script:
    """In which week a topic is taught."""
    topic = called(brief, brief.question.slot("topic"))
    found = yield ask(brief.asked(topic), "textbook_search", query=topic)
    if "no_data" in found:
        return Say("The textbook does not have it.", f"{found['no_data']} {found['try']}")
    return Say(f"It is in week {found['week']}.", found["where"])


def concept(brief: Brief) -> Script:
    """What a topic is, perhaps with exercises on it."""
    topic = called(brief, brief.question.slot("topic"))
    found = yield ask(brief.asked(topic), "textbook_search", query=topic)
    if "no_data" in found:
        return Say("The textbook does not have it.", f"{found['no_data']} {found['try']}")
    if not brief.way:
        text = joined([found["says"], found["where"], sentence(brief.language, "section_end")])
        return Say("The textbook explains it.", text)
    practice = yield ask("The textbook explains it. I look for exercises on it.", "exercise_search", query=topic)
    parts = [found["says"], found["where"], practice.get("says"), practice.get("start")]
    return Say("I can explain it and say how to practise.", joined(parts))


def exercises_topic(brief: Brief) -> Script:
    """Exercises on a topic, perhaps after finding its week."""
    topic = called(brief, brief.question.slot("topic"))
    if brief.way:
        place = yield ask(f"{brief.asked(topic)} First I find its week.", "textbook_search", query=topic)
        if "week" in place:
            thought = f"It is taught in week {place['week']}. I look for its exercises there."
            found = yield ask(thought, "exercise_search", query=topic, week=place["week"])
            return _exercises(found)
    found = yield ask(brief.asked(topic), "exercise_search", query=topic)
    return _exercises(found)


def exercises_week(brief: Brief) -> Script:
    """Exercises of a week."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    found = yield ask(brief.asked(f"week {week}"), "exercise_search", query="exercises", week=week)
    return _exercises(found)


def syllabus(brief: Brief) -> Script:
    """A rule of the course."""
    found = yield ask(brief.asked(), "get_course_syllabus", query=rule(brief.question.slot("subject")))
    if "no_data" in found:
        return Say("The syllabus does not have it.", f"{found['no_data']} {found['try']}")
    return Say("The syllabus says it.", f"{found['says']} {found['where']}")


def grade(brief: Brief) -> Script:
    """The grade so far and what is needed to pass."""
    found = yield ask(brief.asked(), "grade_calculator")
    if "so_far" not in found:
        return Say("Nothing is graded yet.", f"{found['no_data']} {found['try']}")
    parts = [found["so_far"], found["verdict"], found.get("needed"), found.get("weakest")]
    return Say("I have the grade.", joined(parts))


def _exercises(found: Result) -> Say:
    if "no_data" in found:
        return Say("There is no such exercise.", f"{found['no_data']} {found['try']}")
    return Say("I found exercises.", f"{found['says']} {found['start']}")
