"""Scripts for questions on how the student learns: weeks, features, plans, the report."""

import re
from collections.abc import Iterable
from dataclasses import replace

from finetune.trajectories.moves import Ask, Brief, Result, Say, Script, ask, called, core
from finetune.trajectories.sentences import ENGLISH, dimension, sentence
from scribe.figures import weeks
from tools.phrases import phrases
from tools.reading.known_questions import concerns

LONGEST_QUERY = 60
LONGEST_ANSWER = 4
"""Sentences; a longer answer is not read."""
_END = re.compile(r"(?<=[.!?]) +(?=[A-ZÀ-Ý])")
_WHAT_IS = re.compile(r"\bwhat (is|are|does)\b.{0,40}\bmean\b|\bc['’]est quoi\b|\bveut dire|\bsignifie", re.IGNORECASE)
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
    if _went_well(seen):
        return Say(f"Week {week} went well, so I say what was weaker.", short([seen["went_wrong"], seen["do"]]))
    if brief.way:
        found = yield _of_impact(seen)
        return Say(f"I know what mattered in week {week} and whether it helps.", _wrong_and_impact(seen, found))
    meaning = yield _of_meaning(seen)
    text = short([seen["went_wrong"], first_sentence(seen["do"])], [meaning.get("says")])
    return Say(f"I know what mattered in week {week} and what it means.", text)


def week_well(brief: Brief) -> Script:
    """What went well in a week."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    seen = yield ask(brief.asked(f"week {week}"), SORT, week=week)
    if "first" not in seen:
        return _nothing(week, seen)
    if not brief.way or not _went_well(seen):  # the first behaviour was a weakness: what it means is not asked
        return Say(f"I know what went well in week {week}.", seen["went_well"])
    meaning = yield _of_meaning(seen)
    return Say(f"I know what went well in week {week}.", joined([seen["went_well"], meaning.get("says")]))


def weaknesses(brief: Brief) -> Script:
    """What holds the student back over all weeks: the heaviest of them, and what to do."""
    seen = yield _over_all(brief)
    if "first" not in seen:
        return _nothing_at_all(seen)
    if _went_well(seen):
        return Say("All in all it goes well, so I say what was weakest.", seen["went_wrong"])
    first = first_sentence(seen["do"])
    rest = str(seen["do"]).removeprefix(first).strip()
    return Say("I know what weighed most.", short([seen["went_wrong"], first], [rest]))


def strengths(brief: Brief) -> Script:
    """What the student is good at over all weeks."""
    seen = yield _over_all(brief)
    return Say("I know what went best.", seen["went_well"]) if "first" in seen else _nothing_at_all(seen)


def feature_meaning(brief: Brief) -> Script:
    """What a feature means."""
    feature = brief.question.slot("feature") if "feature" in brief.question.slots else _featured(brief)
    feature = called(brief, feature)
    found = yield ask(brief.asked(feature), "get_feature_description", feature=feature)
    if "no_data" in found:
        return Say("No behaviour has this name.", f"{found['no_data']} {found['try']}")
    parts = [found["says"], found.get("usually"), found.get("dimension"), found.get("measured")]
    return Say("I can explain it now.", joined(parts))


def behaviour_impact(brief: Brief) -> Script:
    """Whether a change of behaviour would help, and perhaps how the student's own last week went."""
    slots = brief.question.slots
    behaviour = str(slots.get("behaviour", slots.get("top", "")))
    # The tool hears the whole question too, so few words do.
    query = called(brief, behaviour) if behaviour else _query(core(brief.question))
    found = yield ask(f"{brief.asked()} I look up its impact.", "impact_of_student_behaviors", query=query)
    doubt = _misread(brief, found)
    if "no_data" in found:
        return Say("It was not measured or says little.", f"{found['no_data']} {found['try']}", doubt)
    meant = _defined(brief, found)
    if not brief.way:
        return Say(f"It concerns {found['dimension']}.", _impact(found, meant), doubt)
    seen = yield ask(
        f"It concerns {found['dimension']}. I look at the latest recorded week too.", SORT, week=brief.weeks_done
    )
    text = short([_impact(found, meant)], [first_sentence(seen.get("went_wrong"))])
    return Say("I know whether it helps and how the latest week went.", text, doubt)


def improve(brief: Brief) -> Script:
    """How to improve in general: the latest recorded week, then what helps with its first behaviour or what it is."""
    week = brief.weeks_done
    seen = yield ask(f"{brief.asked()} The latest recorded week is week {week}.", SORT, week=week)
    if "first" not in seen:
        return _nothing(week, seen)
    if brief.way:
        meaning = yield _of_meaning(seen)
        text = short([first_sentence(seen["went_wrong"]), seen["do"]], [meaning.get("says")])
        return Say(f"I know what matters and what {seen['first']} means.", text)
    found = yield _of_impact(seen)
    text = short([first_sentence(seen["went_wrong"]), seen["do"]], [found.get("advice"), found.get("matters")])
    return Say(f"I know what matters and what helps with {seen['first']}.", text)


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
    """What the report says: its verdict and its two steps, or what it is about where it is in another language."""
    if brief.language != ENGLISH:
        return (yield from _report_retold(brief))
    lines = brief.report.strip().splitlines()
    status = lines[0].split(". ", 1)[-1]
    steps = [line.split(". ", 1)[1] for line in lines if line[:2] in ("1.", "2.")]
    text = sentence(brief.language, "report", status=status, first=steps[0], second=steps[1])
    return Say(f"{brief.asked()} The report itself holds the answer.", text)



def _report_retold(brief: Brief) -> Script:
    """An English report in another language: the latest week that it tells of, and the weeks of its advice."""
    lines = brief.report.splitlines()
    past = weeks("\n".join(line for line in lines if line.startswith("- ")))
    advised = weeks("\n".join(line for line in lines if line[:2] in ("1.", "2.")))
    week = max((each for each in past if each <= brief.weeks_done), default=brief.weeks_done)
    seen = yield ask(f"{brief.asked()} The report is in English, so I look up week {week}.", SORT, week=week)
    coming = sorted(each for each in advised if each > brief.weeks_done)
    named = phrases(brief.code).weeks(coming) if coming else ""
    ahead = sentence(brief.language, "report_next", weeks=named) if coming else None
    keys = ("went_well",) if _went_well(seen) else ("no_data", "went_wrong", "do" if "do" in seen else "went_well")
    told = [seen.get(key) for key in keys]
    about = sentence(brief.language, "report_about" if week in past else "report_no_week", week=week)
    return Say(f"I know what mattered in week {week}.", joined([about, *told, ahead]))


def no_such_week(brief: Brief) -> Say:
    """The week does not exist."""
    return Say(
        f"{brief.asked(f'week {brief.question.week}')} The course has only weeks 1 to {brief.weeks}.",
        sentence(brief.language, "no_such_week", weeks=brief.weeks),
    )


def joined(parts: Iterable[str | None]) -> str:
    """The sentences that are there, one after the other."""
    return " ".join(part for part in parts if part)


def first_sentence(text: str | None) -> str:
    """The first sentence of what a tool says."""
    return _END.split(text or "", maxsplit=1)[0]


def short(parts: Iterable[str | None], also: Iterable[str | None] = ()) -> str:
    """The parts that are there, and of what else could be said only what keeps the answer short."""
    said = joined(parts)
    for part in filter(None, also):
        if part not in said and len(_END.split(f"{said} {part}")) <= LONGEST_ANSWER:
            said = f"{said} {part}"
    return said


def _over_all(brief: Brief) -> Ask:
    return ask(f"{brief.asked()} No week is named, so I look at all.", SORT)


def _nothing_at_all(seen: Result) -> Say:
    text = joined([seen["no_data"], seen.get("went_wrong"), seen.get("went_well")])
    return Say("Nothing has a measured influence, so I say so.", text)


def _of_meaning(seen: Result) -> Ask:
    return ask(f"First is {seen['first']}. I look up what it means.", "get_feature_description", feature=seen["first"])


def _of_impact(seen: Result) -> Ask:
    first = seen["first"]
    return ask(f"First is {first}. I look up its impact.", "impact_of_student_behaviors", query=first)


def _wrong_and_impact(seen: Result, found: Result) -> str:
    first = first_sentence(seen["do"])
    return short([seen["went_wrong"], first], [seen["do"].removeprefix(first).strip(), found.get("matters")])


def _went_well(seen: Result) -> bool:
    """Whether what mattered most was a strength: then what to do is to go on with it."""
    return "do" in seen and str(seen["went_well"]).endswith(str(seen["do"]))


def _nothing(week: int, seen: Result) -> Say:
    """No behaviour of the week mattered: say so, and what was worse and better than in the class."""
    text = joined([seen["no_data"], seen.get("went_wrong"), seen.get("went_well"), seen["try"]])
    return Say(f"Week {week} has no measured influence, so I say so.", text)


def _impact(found: Result, meant: str = "") -> str:
    """The student's own value, whether it matters and what to do; what it means where there is no value or `meant`."""
    meaning = meant if "yours" in found else found["says"]
    return joined([meaning, found.get("yours"), found.get("matters"), found["advice"]])


def _defined(brief: Brief, found: Result) -> str:
    """What the side of behaviour is, for one who asks that too."""
    return first_sentence(found["says"]) if _WHAT_IS.search(brief.question.text) else ""


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
