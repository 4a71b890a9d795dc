"""Scripts for questions on how the student learns: weeks, features, plans, the report."""

from collections.abc import Iterable
from dataclasses import replace

from finetune.trajectories.moves import Ask, Brief, Result, Say, Script, ask, core, typed
from finetune.trajectories.sentences import dimension, sentence
from tools.known_questions import concerns

LONGEST_QUERY = 180
CONTROL = "control"
SORT = "sort_student_features_with_importance"


def week_why(brief: Brief) -> Script:
    """What went wrong in a week: the behaviours that mattered, and what the first one means or whether it helps."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    seen = yield ask(brief.asked(f"week {week}"), SORT, week=week)
    if "first" not in seen:
        return _nothing(week, seen)
    if _went_well(week, seen):
        return Say(f"Week {week} went well, so I say what was weaker.", f"{seen['went_wrong']} {seen['do']}")
    if brief.way:
        found = yield _of_impact(seen)
        return Say(f"I know what mattered in week {week} and whether it helps.", _wrong_and_impact(seen, found))
    meaning = yield _of_meaning(seen)
    parts = [seen["went_wrong"], meaning.get("says"), seen["do"]]
    return Say(f"I know what mattered in week {week} and what it means.", joined(parts))


def week_well(brief: Brief) -> Script:
    """What went well in a week."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    seen = yield ask(brief.asked(f"week {week}"), SORT, week=week)
    if "first" not in seen:
        return _nothing(week, seen)
    if not brief.way:
        return Say(f"I know what went well in week {week}.", seen["went_well"])
    meaning = yield _of_meaning(seen)
    return Say(f"I know what went well in week {week}.", joined([seen["went_well"], meaning.get("says")]))


def feature_meaning(brief: Brief) -> Script:
    """What a feature means."""
    feature = brief.question.slot("feature") if "feature" in brief.question.slots else _featured(brief)
    feature = typed(brief.question, feature)
    found = yield ask(brief.asked(feature), "get_feature_description", feature=feature)
    if "no_data" in found:
        return Say("No behaviour has this name.", f"{found['no_data']} {found['try']}")
    parts = [found["says"], found.get("usually"), found.get("dimension"), found.get("measured")]
    return Say("I can explain it now.", joined(parts))


def behaviour_impact(brief: Brief) -> Script:
    """Whether a change of behaviour would help, and perhaps how the student's own last week went."""
    query = _query(core(brief.question))
    found = yield ask(
        f"{brief.asked()} I look up its impact.",
        "impact_of_student_behaviors",
        query=query,
    )
    doubt = _misread(brief, found)
    if "no_data" in found:
        return Say("It was not measured or says little.", f"{found['no_data']} {found['try']}", doubt)
    if not brief.way:
        return Say(f"It concerns {found['dimension']}.", _impact(found), doubt)
    seen = yield ask(
        f"It concerns {found['dimension']}. I look at the latest recorded week too.", SORT, week=brief.weeks_done
    )
    text = joined([_impact(found), seen.get("went_wrong")])
    return Say("I know whether it helps and how the latest week went.", text, doubt)


def improve(brief: Brief) -> Script:
    """How to improve in general: the latest recorded week, then what helps with its first behaviour or what it is."""
    week = brief.weeks_done
    seen = yield ask(f"{brief.asked()} The latest recorded week is week {week}.", SORT, week=week)
    if "first" not in seen:
        return _nothing(week, seen)
    if brief.way:
        meaning = yield _of_meaning(seen)
        parts = [seen["went_wrong"], meaning.get("says"), seen["do"]]
        return Say(f"I know what matters and what {seen['first']} means.", joined(parts))
    found = yield _of_impact(seen)
    return Say(f"I know what matters and what helps with {seen['first']}.", _wrong_and_impact(seen, found))


def next_week(brief: Brief) -> Script:
    """What to do in a coming week: the latest behaviour and that week's topics, in either order."""
    week, last = brief.question.week, brief.weeks_done
    if week > brief.weeks:
        return no_such_week(brief)
    behaviour = ask("the latest recorded week", SORT, week=last)
    topics = ask(f"the topics of week {week}", "map_week_to_topic", week=week)
    one, other = (topics, behaviour) if brief.way else (behaviour, topics)
    opening = (
        f"{brief.asked(f'week {week}')} First I look at {one.thought}{f', week {last}' if one is behaviour else ''}."
    )
    first = yield replace(one, thought=opening)
    second = yield replace(other, thought=f"Now I need {other.thought}.")
    plan, seen = (first, second) if brief.way else (second, first)
    if "first" not in seen:
        return Say(f"I know the topics of week {week}.", joined([plan["says"], plan["start"], seen["no_data"]]))
    parts = [plan["says"], plan["start"], seen["went_wrong"], seen["do"]]
    return Say(f"I know the topics of week {week} and what mattered.", joined(parts))


def report_summary(brief: Brief) -> Script:
    """What the report says: its verdict and its two steps."""
    lines = brief.report.strip().splitlines()
    status = lines[0].split(". ", 1)[-1]
    steps = [line.split(". ", 1)[1] for line in lines if line[:2] in ("1.", "2.")]
    text = sentence(brief.language, "report", status=status, first=steps[0], second=steps[1])
    return Say(f"{brief.asked()} The report itself holds the answer.", text)
    yield  # a script is a generator even when it calls nothing


def no_such_week(brief: Brief) -> Say:
    """The week does not exist."""
    return Say(
        f"{brief.asked(f'week {brief.question.week}')} The course has only weeks 1 to {brief.weeks}.",
        sentence(brief.language, "no_such_week", weeks=brief.weeks),
    )


def joined(parts: Iterable[str | None]) -> str:
    """The sentences that are there, one after the other."""
    return " ".join(part for part in parts if part)


def _of_meaning(seen: Result) -> Ask:
    return ask(f"First is {seen['first']}. I look up what it means.", "get_feature_description", feature=seen["first"])


def _of_impact(seen: Result) -> Ask:
    first = seen["first"]
    return ask(f"First is {first}. I look up its impact.", "impact_of_student_behaviors", query=first)


def _wrong_and_impact(seen: Result, found: Result) -> str:
    return joined([seen["went_wrong"], seen["do"], _impact(found) if "dimension" in found else None])


def _went_well(week: int, seen: Result) -> bool:
    """Whether what mattered most was a strength."""
    return str(seen["went_wrong"]).startswith(f"Week {week} went well")


def _nothing(week: int, seen: Result) -> Say:
    """No behaviour of the week mattered: say so, and what was worse and better than in the class."""
    text = joined([seen["no_data"], seen.get("went_wrong"), seen.get("went_well"), seen["try"]])
    return Say(f"Week {week} has no measured influence, so I say so.", text)


def _impact(found: Result) -> str:
    return joined([found["says"], found.get("matters"), found["advice"]])


def _misread(brief: Brief, found: Result) -> str:
    """How the tool's reading of a behaviour of ours is wrong; empty if it is right or nobody knows."""
    meant = concerns(str(brief.question.slots.get("behaviour", "")))
    read = str(found.get("dimension", "")).lower()
    # Control says little about passing, so the tool has no data on it.
    right = not read if meant == CONTROL else read in (meant, dimension(brief.language, meant))
    return "" if right or not meant else f"{meant} was read as {read or 'nothing'}"


def _query(text: str) -> str:
    """The question as a search query: whole words, within the length that a tool's argument may have."""
    words = text.replace('"', "").replace("\\", "").split()
    while len(" ".join(words)) > LONGEST_QUERY:
        words.pop()
    return " ".join(words).rstrip("?.! ")


def _featured(brief: Brief) -> str:
    """The first behaviour that the exchange before spoke of; questions about it say only "the first one"."""
    return str(brief.question.slots["top"])
