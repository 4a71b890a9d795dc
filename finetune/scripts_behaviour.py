"""Scripts for questions on how the student learns: weeks, features, plans, the report."""

from finetune.teacher import Brief, Result, Say, Script, ask, typed

LONGEST_QUERY = 180
SORT = "sort_student_features_with_importance"


def week_why(brief: Brief) -> Script:
    """What went wrong in a week: the behaviours that mattered, and what the first one means."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    seen = yield ask(
        f"The student asks what went wrong in week {week}. Their behaviour in week {week} will tell.", SORT, week=week
    )
    if "matters_most" not in seen:
        return _nothing(week, seen)
    top = seen["matters_most"][0]
    if top["advice"] == "keep":
        return Say(
            f"In week {week} the important behaviours were good, so I say what was weaker.", _kept(week, seen)
        )
    meaning = yield ask(
        f"What mattered most is {top['behaviour']}. I look up what it means.",
        "get_feature_description",
        feature=top["behaviour"],
    )
    parts = [
        f"In week {week} what held you back most was {_compared(top)}.",
        *([f"It {_lower(meaning['meaning'])}"] if "meaning" in meaning else []),
        *_others(seen),
        f"So {top['advice']} your {top['behaviour']} first.",
        *([seen["tip"]] if "tip" in seen else []),
    ]
    return Say(f"I know what mattered in week {week} and what it means.", " ".join(parts))


def week_well(brief: Brief) -> Script:
    """What went well in a week."""
    week = brief.question.week
    if week > brief.weeks:
        return no_such_week(brief)
    seen = yield ask(
        f"The student asks what went well in week {week}. Their behaviour in week {week} will tell.", SORT, week=week
    )
    if "matters_most" not in seen:
        return _nothing(week, seen, "went_well")
    rows = [row for row in seen["matters_most"] if row["advice"] == "keep"]
    if rows:
        parts = [f"In week {week} your best point was {_compared(rows[0])}."]
        parts += [f"Another good point was {_compared(row)}." for row in rows[1:2]]
        parts.append("Keep these habits, they are what your result rests on." if rows[1:] else "Keep it up.")
        return Say(f"Week {week} has good points that matter.", " ".join(parts))
    good = seen.get("went_well")
    if not good:
        top = seen["matters_most"][0]
        text = (
            f"In week {week} no behaviour stands out as better than the class. What matters most is "
            f"{_compared(top)}. If you {top['advice']} it, the next weeks can go well."
        )
        return Say(f"Nothing stands out in week {week}, so I say so.", text)
    parts = [f"In week {week} you were ahead of the class in this: {good[0]}."]
    parts += [f"Also good is this: {other}." for other in good[1:]]
    parts.append("Keep these habits.")
    return Say(f"I found what went well in week {week}.", " ".join(parts))


def feature_meaning(brief: Brief) -> Script:
    """What a feature means."""
    feature = brief.question.slot("feature") if "feature" in brief.question.slots else _featured(brief)
    feature = typed(brief.question, feature)
    found = yield ask(f"The student asks what {feature} means.", "get_feature_description", feature=feature)
    if "no_data" in found:
        return Say("No behaviour has this name.", f"I know no behaviour of this name. {found['try']}")
    parts = [f"The behaviour {found['behaviour']} {_lower(found['meaning'])}"]
    if "usually_better" in found:
        parts.append(f"Usually {found['usually_better']} of it goes with better results.")
    if "dimension" in found:
        parts.append(f"It belongs to {found['dimension']}.")
    return Say("I can explain it now.", " ".join(parts))


def behaviour_impact(brief: Brief) -> Script:
    """Whether a change of behaviour would help."""
    query = _query(brief.question.text)
    found = yield ask(
        "The student asks whether a behaviour would help. I look up its impact.",
        "impact_of_student_behaviors",
        query=query,
    )
    if "no_data" in found:
        return Say(
            "This behaviour was not measured.", f"I cannot promise that it helps: {found['no_data']} {found['try']}"
        )
    return Say(f"It concerns {found['dimension']}.", _impact("This is about", found))


def improve(brief: Brief) -> Script:
    """How to improve in general: the latest recorded week, then the dimension of its first behaviour."""
    week = brief.weeks_done
    seen = yield ask(
        f"The student asks how to improve in general. The latest recorded week is week {week}.", SORT, week=week
    )
    if "matters_most" not in seen:
        return _nothing(week, seen)
    top = seen["matters_most"][0]
    found = yield ask(
        f"What mattered most is {top['behaviour']}. I look up its impact.",
        "impact_of_student_behaviors",
        query=top["behaviour"],
    )
    if top["advice"] == "keep":
        start = f"Your strongest point in week {week} is {_compared(top)}, so keep it."
        start += f" What was weaker is this: {seen['was_weak'][0]}." if "was_weak" in seen else ""
    else:
        start = f"Begin with what mattered most in week {week}: {_compared(top)}. You should {top['advice']} it."
    impact = _impact("It belongs to", found) if "dimension" in found else ""
    return Say(f"I know what matters and what helps with {top['behaviour']}.", f"{start} {impact}".strip())


def next_week(brief: Brief) -> Script:
    """What to do in a coming week: the latest behaviour, then that week's topics."""
    week, last = brief.question.week, brief.weeks_done
    if week > brief.weeks:
        return no_such_week(brief)
    seen = yield ask(
        f"The student asks what to do in week {week}. First I look at the latest recorded week, week {last}.",
        SORT,
        week=last,
    )
    plan = yield ask(f"Now I need the topics of week {week}.", "map_week_to_topic", week=week)
    first = f"Week {week} is about {plan['title']}, so start with {plan['topics'][0]}."
    if "matters_most" not in seen:
        return Say(f"I know the topics of week {week}.", f"{first} {seen['no_data']}")
    top = seen["matters_most"][0]
    verb = "keep up" if top["advice"] == "keep" else top["advice"]
    text = (
        f"{first} From week {last}, the point to remember is {_compared(top)}. "
        f"So in week {week}, {verb} your {top['behaviour']}."
    )
    if "tip" in seen:
        text += f" {seen['tip']}"
    return Say(f"I know the topics of week {week} and what mattered.", text)


def report_summary(brief: Brief) -> Script:
    """What the report says: its verdict and its two steps."""
    lines = brief.report.strip().splitlines()
    status = lines[0].split(". ", 1)[-1]
    steps = [line.split(". ", 1)[1] for line in lines if line[:2] in ("1.", "2.")]
    text = f"In short, your report says this. {status} It suggests two steps. First: {steps[0]} Second: {steps[1]}"
    return Say("The report itself holds the answer.", text)
    yield  # a script is a generator even when it calls nothing


def no_such_week(brief: Brief) -> Say:
    """The week does not exist."""
    return Say(
        f"The course has only weeks 1 to {brief.weeks}.",
        f"There is no such week: the course has weeks 1 to {brief.weeks}. Please ask about one of these.",
    )


def _nothing(week: int, seen: Result, beside: str = "was_weak") -> Say:
    """No behaviour of the week mattered: say so, and what was better or worse than in the class."""
    lead = "Weaker than in the class was" if beside == "was_weak" else "Better than in the class was"
    parts = [seen["no_data"], *(f"{lead} this: {line}." for line in seen.get(beside, [])[:1]), seen["try"]]
    return Say(f"Week {week} has no measured influence, so I say so.", " ".join(parts))


def _kept(week: int, seen: Result) -> str:
    top = seen["matters_most"][0]
    weak = seen.get("was_weak")
    parts = [f"In week {week} what mattered most went well: {_compared(top)}."]
    parts += [f"What was weaker than in the class is this: {line}." for line in (weak or [])]
    if not weak:
        parts.append("No behaviour stands out as weak.")
    return " ".join([*parts, f"Keep up your {top['behaviour']}."])


def _others(seen: Result) -> list[str]:
    return [f"Next came {_compared(row)}." for row in seen["matters_most"][1:2]]


def _compared(row: Result) -> str:
    if row["you"] == "no data":
        return f"{row['behaviour']}, of which there is no data for you"
    return f"{row['behaviour']}: you were at {row['you']}, the class is typically at {row['class']}"


def _impact(lead: str, found: Result) -> str:
    parts = [f"{lead} {found['dimension']}. {found['means']}"]
    if "matters_for" in found:
        parts.append(f"In this course it matters for {found['matters_for']}.")
    return " ".join([*parts, found["advice"]])


def _query(text: str) -> str:
    """The question as a search query: whole words, within the length that a tool's argument may have."""
    words = text.replace('"', "").replace("\\", "").split()
    while len(" ".join(words)) > LONGEST_QUERY:
        words.pop()
    return " ".join(words).rstrip("?.! ")


def _featured(brief: Brief) -> str:
    """The first behaviour that the exchange before spoke of; questions about it say only "the first one"."""
    return str(brief.question.slots["top"])


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
