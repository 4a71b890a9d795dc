"""How am I doing: the named parts of a report after each theory of explanation.

Necessity and robustness (nr): changes that together would turn the prediction, and what keeps it whatever else is
typical; that there is no other way to turn it is not known, so it must not be said. Abnormal conditions (ac): what is
far from the class, what is recent, what one can decide. Contrast (con): what happened, what the middle of the class
did instead, and what lies between.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from data.reports.findings import LAST_WEEKS, RARE, UNUSUAL, Finding, Findings
from data.reports.phrasebook import Phrases, filled, phrases
from data.reports.voice import Voice

NAMES: Mapping[str, tuple[str, ...]] = {
    "nr": ("Necessary causes", "Robust explanation"),
    "ac": ("Abnormal causes", "Recent events", "Controllable factors"),
    "con": ("Target event", "Contrast event", "Key differences"),
}
"""The parts of each theory, in bold and in this order."""


# How often a necessary cause comes with the value it would have to move to, room or not.
TARGETED = 0.3


@dataclass(frozen=True, slots=True)
class Parts:
    """The sentences of each part; `further` (part, sentence) are told as far as there is room."""

    told: Mapping[str, str]
    further: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...] = ()


def explained(voice: Voice, theory: str, found: Findings) -> Parts:
    """The parts for a student of whom something can be told."""
    build: Mapping[str, Callable[[Voice, Findings], Parts]] = {"nr": _necessary, "ac": _abnormal, "con": _contrasted}
    return build[theory](voice, found)


def unexplained(voice: Voice, theory: str, found: Findings) -> Parts:
    """Honest parts for a student whose outlook no short list of changes would turn."""
    names, known = NAMES[theory], voice.student.explained
    second, third = voice.mine("unexplained", "second"), voice.mine("unexplained", "third")
    reasons = [voice.say("reasons", dimension) for dimension in ("consistency", "assessment", "effort", "regularity")]
    if known:  # then "small changes alter little" would not be true
        second = reasons.pop()
    first = voice.say("unexplained", "unrecorded") if known else voice.mine("unexplained", "first")
    told = dict(zip(names, (first, second, third), strict=False))
    more = [*zip((*names, names[0]), reasons, strict=False), *([(names[-1], third)] if len(names) < 3 else [])]
    if theory == "nr" and found.enough:  # no change would turn it, and yet something holds it
        told[names[1]], values, _ = _enough(voice, found, ())
        more = [(names[1], value) for value in values] + more[:1]
    return Parts(told, tuple(more))


def _necessary(voice: Voice, found: Findings) -> Parts:
    necessary, robust = NAMES["nr"]
    told = found.told
    sentences = [voice.compared(told[0]), *(voice.after(each, told[0]) for each in told[1:2])]
    keeps, values, said = _keeps(voice, found, told)
    targets = _target(voice, told[0])
    if voice.chance.random() < TARGETED:
        sentences[1:1], targets = targets, []
    further = [
        *((necessary, sentence) for sentence in targets),
        *_if_clear(told[0], (necessary, voice.mine("remark", necessary))),
        (necessary, _reason(voice, told[0])),
        *((robust, value) for value in values),
        *_if_clear(told[0], (robust, voice.mine("remark", robust)) if said else None),
        *((robust, _reason(voice, each)) for each in said[:1]),
    ]
    return Parts({necessary: " ".join(sentences), robust: keeps}, tuple(further), told)


Kept = tuple[str, list[str], list[Finding]]
"""The sentence on what keeps the prediction, sentences with values for it, and the points it is about."""


def _keeps(voice: Voice, found: Findings, told: tuple[Finding, ...]) -> Kept:
    """The robust part: what is enough, or else what repeats, or honestly that nothing does."""
    if found.enough:
        return _enough(voice, found, told)
    again = next((one for one in told[2:] if one.feature in (told[0].feature, told[1].feature)), None)
    if again is not None:
        return voice.compared(again, "again"), [], [again]
    spare = [voice.compared(one) for one in told[2:3]]
    if not voice.student.sufficient:
        return voice.mine("robust", "none"), spare, []
    return spare[0] if spare else _reason(voice, told[0]), [], []


def _enough(voice: Voice, found: Findings, told: tuple[Finding, ...]) -> Kept:
    every = len(found.enough) == len(voice.student.sufficient) <= 3
    fresh = sorted(found.enough, key=lambda one: _same_place(one, told[:2]))
    points = list(found.enough) if every else fresh[: voice.chance.choice((1, 2))]
    names = _named(voice, points)
    several = len(names) > 1
    sentence = voice.say(
        "robust",
        voice.outcome,
        "all" if every else "part",
        points=_listed(names),
        belong="belong" if several else "belongs",
        their="their" if several else "its",
    )
    values = [voice.compared(one) for one in points[:1] if not _same_place(one, told[:2])]
    return sentence, values, points


def _named(voice: Voice, points: list[Finding]) -> list[str]:
    """Each behaviour once, with all of its weeks."""
    weeks: dict[str, list[int]] = {}
    for one in sorted(points, key=lambda one: one.week):
        weeks.setdefault(voice.noun(one), []).append(one.week)
    return [f"{noun} in {'weeks' if each[1:] else 'week'} {_listed(each)}" for noun, each in weeks.items()]


def _listed(names: Sequence[object]) -> str:
    """E.g. "a, b and c"."""
    *most, last = map(str, names)
    return f"{', '.join(most)} and {last}" if most else last


def _target(voice: Voice, finding: Finding) -> list[str]:
    """The counterfactual in numbers, where it can be told apart from what is."""
    if not finding.clear or finding.target is None or finding.target < 0 or finding.own < 0:
        return []
    target = finding.shown(finding.target)
    if target == finding.shown(finding.own):
        return []
    whole = "only" if len(voice.student.importances) == 1 else "part"
    return [
        voice.say("target", voice.outcome, whole, noun=voice.noun(finding), week=f"week {finding.week}", target=target)
    ]


def _abnormal(voice: Voice, found: Findings) -> Parts:
    abnormal, recent, controllable = NAMES["ac"]
    told = found.told
    far = max(told[:6], key=lambda one: one.extremity)
    rest = [one for one in told if one is not far]
    late = max((one for one in rest if _is_recent(voice, one)), key=lambda one: one.week, default=None)
    left = [one for one in rest if one is not late and not one.is_result]
    free = left[0] if left else None
    about = [one for one in (far, late, free) if one is not None]
    sentences = {
        abnormal: voice.ranked(far) if far.clear else voice.compared(far),
        recent: voice.compared(late) if late else _nothing_recent(voice, far),
        controllable: voice.compared(free) if free else _nothing_to_decide(voice, about),
    }
    further = [
        *_if_clear(far, *((path[0], voice.mine("remark", *path)) for path in _remarked(far, late, free))),
        (abnormal, _reason(voice, far)),
        *((controllable, _reason(voice, one)) for one in [free] if one),
    ]
    return Parts(sentences, tuple(further), tuple(_in_front(about, told)))


def _remarked(far: Finding, late: Finding | None, free: Finding | None) -> list[tuple[str, ...]]:
    """The parts that a remark may follow in, with how far the value is from the class for the first."""
    abnormal, recent, controllable = NAMES["ac"]
    how_far = "rare" if far.extremity >= RARE else "far"
    told = (((abnormal, how_far), far.extremity >= UNUSUAL), ((recent,), late), ((controllable,), free))
    return [path for path, there in told if there]


def _nothing_recent(voice: Voice, far: Finding) -> str:
    if _is_recent(voice, far):
        return voice.say("recent", "same")
    weeks = [one.week for one in voice.student.importances]
    if max(weeks) > voice.course.weeks_done - LAST_WEEKS:
        return voice.say("recent", "unclear")
    return voice.mine("recent", "none")


def _nothing_to_decide(voice: Voice, about: list[Finding]) -> str:
    own = [one for one in about if not one.is_result]
    if own and own[0].clear:
        return voice.mine("controllable", "same", noun=voice.noun(own[0]))
    return voice.mine("controllable", "none")


def _contrasted(voice: Voice, found: Findings) -> Parts:
    target, contrast, differences = NAMES["con"]
    told = found.told
    first = told[0]
    slots = {"noun": voice.noun(first), "week": f"week {first.week}", "typical": first.shown(first.typical)}
    sentences = {
        target: voice.alone(first),
        contrast: filled(voice.pick(_contrast(voice, first)), slots),
        differences: voice.compared(told[1]) if told[1:] else voice.say("contrast", "single"),
    }
    further = [
        (target, _reason(voice, first)),
        *((differences, voice.after(one, told[1])) for one in told[2:3]),
        *_if_clear(first, (differences, voice.mine("remark", differences)) if told[1:] else None),
        *((differences, _reason(voice, one)) for one in told[1:2]),
    ]
    return Parts(sentences, tuple(further), told)


def _contrast(voice: Voice, first: Finding) -> Phrases:
    if not first.clear:
        return phrases("contrast", "neutral")
    ahead = voice.outcome == "pass" and first.favourable
    return (*phrases("contrast", voice.outcome), *(phrases("contrast", "lead") if ahead else ()))


def _reason(voice: Voice, finding: Finding) -> str:
    return voice.say("reasons", finding.feature.dimension or "effort")


def _if_clear(finding: Finding, *sentences: tuple[str, str] | None) -> list[tuple[str, str]]:
    """Remarks take the finding for a cause; about an unclear one that would say too much."""
    return [each for each in sentences if each is not None] if finding.clear else []


def _is_recent(voice: Voice, finding: Finding) -> bool:
    return finding.week > voice.course.weeks_done - LAST_WEEKS


def _same_place(one: Finding, others: tuple[Finding, ...]) -> bool:
    return any((one.feature, one.week) == (other.feature, other.week) for other in others)


def _in_front(about: list[Finding], told: tuple[Finding, ...]) -> list[Finding]:
    return [*about, *(one for one in told if one not in about)]
