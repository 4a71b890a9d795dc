"""Checks values against the data: of which behaviour, week and whom they are, and whether "below" or "ahead" fit."""

from collections.abc import Iterator
from re import Match

from data.catalogue import Feature, load_catalogue, make_singular
from data.course import Course, Importance, Student
from data.reports.sentences import ReportSentence, blank_out, compile_claim, compile_table, list_weeks
from data.standing import standing

_OPPOSITE = {"below": "above", "above": "below", "good": "bad", "bad": "good"}
_SHARES = {"tenth": 0.9, "quarter": 0.75, "third": 2 / 3, "half": 0.5}
# Units that may be left out, since the behaviour's name says what is counted.
_BARE = {"clicks", "answers", "sessions", "openings", "times", "clicks per minute"}


Place = tuple[str, int]  # A feature's name and a week
RARE = 0.9  # Share of the class beyond which a value may be called rare


class Facts:
    """What the data hold about one student beside the class: the only source of numbers."""

    def __init__(self, student: Student, course: Course) -> None:
        self.student = student
        self.course = course
        self.marks = standing(course, student)
        self.enough = frozenset((one.feature, one.week) for one in student.sufficient)
        self.weighing = {(one.feature, one.week): one for one in student.importances}
        self.fitting = frozenset(place for place, one in self.weighing.items() if self._fits(one))
        self.heaviest = max(self.weighing, key=lambda place: self.weighing[place].importance, default=None)

    def values(self, place: Place) -> tuple[float | None, float | None]:
        """The raw values of the student and of the class's median, None for a missing one or one of too few."""
        return self.student.features.get(place), self.course.typical(*place)

    def left_behind(self, place: Place, low: bool) -> float:
        """The share of the class (0 to 1) whose value is higher (low=True) or lower than the student's."""
        own = self.student.features[place]
        others = [one.features[place] for one in self.course.students.values() if place in one.features]
        return sum(each > own if low else each < own for each in others) / len(others)

    def is_rare(self, place: Place) -> bool:
        """Whether the student has left nine in ten of the class behind, upwards or downwards."""
        known = None not in self.values(place)
        return known and any(self.left_behind(place, low) >= RARE for low in (True, False))

    def is_over(self, week: int) -> bool:
        """Whether a week is among those the data are of."""
        return week <= self.course.weeks_done

    def _fits(self, one: Importance) -> bool:
        """The change that flips the prediction leads past the class's median, and away from (to) what is good."""
        feature = load_catalogue().by_name(one.feature)
        own, usual = self.values((one.feature, one.week))
        if own is None or usual is None or feature.shown(own) == feature.shown(usual):
            return False
        rising, improving = one.direction == "increase", one.flips_to == "pass"
        wished = feature.good == "depends" or rising == (improving == (feature.good == "more"))
        return wished and rising == (own < usual)


def check_values(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """Complaints about the values and comparisons in a sentence, if it has any."""
    if not sentence.quantities:
        # Comparisons without a number still have a side.
        if sentence.about is not None and facts.is_over(sentence.about[1]):
            yield from _check_comparisons(sentence, *sentence.about, facts)
        return
    pairs = [(feature, week) for feature, week in sentence.pairs if facts.is_over(week)]
    if sentence.step and len(sentence.features) == 1 and not pairs and sentence.weeks:
        yield from _check_aims(sentence, facts)
    elif len(pairs) == 1:
        yield from _check_numbers(sentence, *pairs[0], facts)
        yield from _check_comparisons(sentence, *pairs[0], facts)
    else:
        labels = " and ".join(feature.label for feature, _ in sentence.features) or "no known behaviour"
        yield (
            "a sentence with a value must name one behaviour and one concluded week, "
            f"not {labels} with {list_weeks(sentence.weeks, 'and')}"
        )


def _check_numbers(sentence: ReportSentence, feature: Feature, week: int, facts: Facts) -> Iterator[str]:
    place = feature.name, week
    own, usual = facts.values(place)
    if own is None or usual is None:
        yield f"there is no value of {feature.label} in week {week}, or too few students have one"
        return
    wanted = {"own": [own], "class": [usual]}
    if compile_claim("what_if").search(sentence.plain) and place in facts.weighing:
        wanted["own"].append(facts.weighing[place].target)
    since = 0
    for quantity in sentence.quantities:
        whose = _find_owner(sentence, quantity, since)
        since = quantity.end()
        allowed = [feature.shown(raw) for raw in wanted[whose]]
        if not any(_is_said(quantity, each, feature) for each in allowed):
            name = "the class's median" if whose == "class" else "the student's value"
            yield f"{name} of {feature.label} in week {week} is {' or '.join(allowed)}, not {quantity.group()}"


def _check_aims(sentence: ReportSentence, facts: Facts) -> Iterator[str]:
    """A value set as an aim for a coming week: one of the student, of the class or where the explanation leads."""
    feature = sentence.features[0][0]
    places = [(feature.name, week) for week in range(1, facts.course.weeks_done + 1)]
    known = [facts.weighing[place].target for place in places if place in facts.weighing]
    known += [raw for place in places for raw in facts.values(place) if raw is not None]
    for quantity in sentence.quantities:
        if not any(_is_said(quantity, feature.shown(raw), feature) for raw in known):
            yield f"{quantity.group()} is no known value of {feature.label}"


def _find_owner(sentence: ReportSentence, quantity: Match[str], since: int) -> str:
    """Whose a number is: the last cue before it decides, or a word on the class right behind it."""
    cues = list(compile_claim("owner").finditer(sentence.plain, since, quantity.start()))
    behind = compile_claim("class_behind").match(sentence.plain, quantity.end())
    return "class" if behind or (cues and cues[-1]["their"] is not None) else "own"


def _is_said(quantity: Match[str], shown: str, feature: Feature) -> bool:
    """Whether a number is said as the catalogue shows it; the unit may be singular or, for counts, left out."""
    units = (feature.unit, feature.below_zero or "")
    known = (one for one in (*units, *map(make_singular, units)) if one and shown.endswith(f" {one}"))
    unit = next(known, "")
    number = shown.removesuffix(f" {unit}")
    if quantity["number"] != number:
        return False
    if not quantity["unit"] or quantity["unit"].startswith("time"):
        return feature.unit in _BARE
    return make_singular(quantity["unit"]) == make_singular(unit)


def _check_comparisons(sentence: ReportSentence, feature: Feature, week: int, facts: Facts) -> Iterator[str]:
    """Words such as "below" and "ahead of" against the numbers as they are shown, and places in the class."""
    own, usual = facts.values((feature.name, week))
    if own is None or usual is None:
        return
    same = feature.shown(own) == feature.shown(usual)
    actual = "same" if same else "below" if own < usual else "above"
    judged = "good" if (actual == "above") == (feature.good == "more") else "bad"
    for said, words in _find_comparisons(sentence):
        if said in ("good", "bad") and feature.good == "depends":
            yield f"{words!r}: whether more {feature.label} is better depends"
        elif said != actual and (same or said != judged or feature.good == "depends"):
            yield f"{words!r}: {feature.label} in week {week} is {'the same as' if same else actual} the class's median"
    for rank in compile_claim("rank").finditer(sentence.plain):
        low = rank["end"].lower() in ("lowest", "bottom")
        if facts.left_behind((feature.name, week), low) < _SHARES[rank["share"].lower()]:
            yield f"{feature.label} in week {week} is not in the {rank.group()}"


def _find_comparisons(sentence: ReportSentence) -> Iterator[tuple[str, str]]:
    """The side that each comparison claims, and its words."""
    # "less than 1 percent" is a value, not a comparison.
    text = blank_out(sentence.plain, [quantity.span() for quantity in sentence.quantities])
    for side, words in compile_table("sides").items():
        for match in words.finditer(text):
            negated = side in _OPPOSITE and compile_claim("negated").search(text[: match.start()])
            yield _OPPOSITE[side] if negated else side, match.group()
