"""How am I doing: the named parts of a report after each theory of explanation.

Necessity and robustness (nr): changes that together would turn the prediction, and what keeps it. Abnormal conditions
(ac): what is far from the class, recent, or one's to decide. Contrast (con): what happened beside the class.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.course import Importance
from data.reports.findings import LAST_WEEKS, RARE, UNUSUAL, FeatureFinding, Findings
from data.reports.phrasebook import THEORY_PARTS, fill_slots, find_phrases, list_words
from data.reports.voice import Voice

# How often a necessary cause comes with the value it would have to move to, room or not.
TARGETED = 0.3


@dataclass(frozen=True, slots=True)
class TheoryParts:
    """The sentences of each part, further ones (part, sentence) where there is room, and the findings to advise on."""

    told: Mapping[str, str]
    further: tuple[tuple[str, str], ...]
    findings: tuple[FeatureFinding, ...] = ()


def explain_parts(voice: Voice, theory: str, found: Findings) -> TheoryParts:
    """The parts for a student of whom something can be told."""
    return {"nr": _explain_necessity, "ac": _explain_abnormality, "con": _explain_contrast}[theory](voice, found)


def explain_nothing(voice: Voice, theory: str, found: Findings) -> TheoryParts:
    """Honest parts for a student whose outlook no short list of changes would turn."""
    names, known = THEORY_PARTS[theory], voice.student.explained
    second, third = voice.say_outcome("unexplained", "second"), voice.say_outcome("unexplained", "third")
    reasons = [voice.say("reasons", dimension) for dimension in ("consistency", "assessment", "effort", "regularity")]
    if known:  # then "small changes alter little" would not be true
        second = reasons.pop()
    first = voice.say("unexplained", "unrecorded") if known else voice.say_outcome("unexplained", "first")
    told = dict(zip(names, (first, second, third), strict=False))
    more = [*zip((*names, names[0]), reasons, strict=False), *([(names[-1], third)] if len(names) < 3 else [])]
    if theory == "nr" and found.enough:  # no change would turn it, and yet something holds it
        told[names[1]], values, _ = _say_enough(voice, found, ())
        more = [(names[1], value) for value in values] + more[:1]
    return TheoryParts(told, tuple(more))


def _explain_necessity(voice: Voice, found: Findings) -> TheoryParts:
    necessary, robust = THEORY_PARTS["nr"]
    ranked = found.ranked
    sentences = [voice.compare(ranked[0]), *(voice.follow_up(each, ranked[0]) for each in ranked[1:2])]
    keeps, values, points = _say_what_keeps(voice, found)
    targets = _say_target(voice, ranked[0])
    if voice.chance.random() < TARGETED:
        sentences[1:1], targets = targets, []
    further = [(necessary, sentence) for sentence in targets]
    further += _remark(voice, ranked[0], necessary)
    further.append((necessary, _give_reason(voice, ranked[0])))
    further += [(robust, value) for value in values]
    if points:
        further += _remark(voice, ranked[0], robust)
        further.append((robust, _give_reason(voice, points[0])))
    return TheoryParts({necessary: " ".join(sentences), robust: keeps}, tuple(further), ranked)


RobustPart = tuple[str, list[str], list[FeatureFinding]]
"""The sentence on what keeps the prediction, sentences with values for it, and the points it is about."""


def _say_what_keeps(voice: Voice, found: Findings) -> RobustPart:
    """The robust part: what is enough, or else what repeats, or honestly that nothing does."""
    ranked = found.ranked
    if found.enough:
        return _say_enough(voice, found, ranked)
    again = next((one for one in ranked[2:] if one.feature in (ranked[0].feature, ranked[1].feature)), None)
    if again is not None:
        return voice.compare(again, "again"), [], [again]
    spare = [voice.compare(one) for one in ranked[2:3]]
    if not voice.student.sufficient:
        return voice.say_outcome("robust", "none"), spare, []
    return spare[0] if spare else _give_reason(voice, ranked[0]), [], []


def _say_enough(voice: Voice, found: Findings, ranked: Sequence[FeatureFinding]) -> RobustPart:
    every = len(found.enough) == len(voice.student.sufficient) <= 3
    fresh = sorted(found.enough, key=lambda one: _is_among(one, ranked[:2]))
    points = list(found.enough) if every else fresh[: voice.chance.choice((1, 2))]
    names = _name_points(voice, points)
    several = len(names) > 1
    sentence = voice.say(
        "robust",
        voice.outcome,
        "all" if every else "part",
        points=list_words(names),
        belong="belong" if several else "belongs",
        their="their" if several else "its",
    )
    values = [voice.compare(one) for one in points[:1] if not _is_among(one, ranked[:2])]
    return sentence, values, points


def _name_points(voice: Voice, points: Sequence[FeatureFinding]) -> list[str]:
    """Each behaviour once, with all of its weeks."""
    weeks: dict[str, list[int]] = {}
    for one in sorted(points, key=lambda one: one.week):
        weeks.setdefault(one.wording.noun, []).append(one.week)
    return [f"{noun} in {'weeks' if each[1:] else 'week'} {list_words(each)}" for noun, each in weeks.items()]


def _say_target(voice: Voice, finding: FeatureFinding) -> list[str]:
    """The counterfactual in numbers, where it can be told apart from what is."""
    if not finding.clear or finding.target is None or finding.target < 0 or finding.own < 0:
        return []
    target = finding.shown(finding.target)
    if target == finding.shown(finding.own):
        return []
    whole = "only" if len(voice.student.importances) == 1 else "part"
    noun, week = finding.wording.noun, f"week {finding.week}"
    return [voice.say("target", voice.outcome, whole, noun=noun, week=week, target=target)]


def _explain_abnormality(voice: Voice, found: Findings) -> TheoryParts:
    abnormal, recent, controllable = THEORY_PARTS["ac"]
    ranked = found.ranked
    far = max(ranked[:6], key=lambda one: one.extremity)
    rest = [one for one in ranked if one is not far]
    late = max((one for one in rest if _is_recent(voice, one)), key=lambda one: one.week, default=None)
    free = next((one for one in rest if one is not late and not one.wording.result), None)
    about = [one for one in (far, late, free) if one is not None]
    sentences = {
        abnormal: voice.compare_rank(far) if far.clear else voice.compare(far),
        recent: voice.compare(late) if late else _say_nothing_recent(voice, far),
        controllable: voice.compare(free) if free else _say_nothing_to_decide(voice, about),
    }
    further = []
    if far.extremity >= UNUSUAL:
        further += _remark(voice, far, abnormal, "rare" if far.extremity >= RARE else "far")
    if late:
        further += _remark(voice, far, recent)
    if free:
        further += _remark(voice, far, controllable)
    further.append((abnormal, _give_reason(voice, far)))
    if free:
        further.append((controllable, _give_reason(voice, free)))
    return TheoryParts(sentences, tuple(further), (*about, *(one for one in ranked if one not in about)))


def _say_nothing_recent(voice: Voice, far: FeatureFinding) -> str:
    if _is_recent(voice, far):
        return voice.say("recent", "same")
    if any(_is_recent(voice, one) for one in voice.student.importances):
        return voice.say("recent", "unclear")
    return voice.say_outcome("recent", "none")


def _say_nothing_to_decide(voice: Voice, about: Sequence[FeatureFinding]) -> str:
    own = [one for one in about if not one.wording.result]
    if own and own[0].clear:
        return voice.say_outcome("controllable", "same", noun=own[0].wording.noun)
    return voice.say_outcome("controllable", "none")


def _explain_contrast(voice: Voice, found: Findings) -> TheoryParts:
    target, contrast, differences = THEORY_PARTS["con"]
    first, *others = found.ranked
    slots = {"noun": first.wording.noun, "week": f"week {first.week}", "typical": first.shown(first.typical)}
    options = find_phrases("contrast", voice.outcome if first.clear else "neutral")
    if first.clear and voice.outcome == "pass" and first.favourable:
        options = (*options, *find_phrases("contrast", "lead"))
    sentences = {
        target: voice.state(first),
        contrast: fill_slots(voice.pick(options), slots),
        differences: voice.compare(others[0]) if others else voice.say("contrast", "single"),
    }
    further = [(target, _give_reason(voice, first))]
    further += [(differences, voice.follow_up(one, others[0])) for one in others[1:2]]
    if others:
        further += _remark(voice, first, differences)
        further.append((differences, _give_reason(voice, others[0])))
    return TheoryParts(sentences, tuple(further), found.ranked)


def _give_reason(voice: Voice, finding: FeatureFinding) -> str:
    return voice.say("reasons", finding.feature.dimension or "effort")


def _remark(voice: Voice, finding: FeatureFinding, *path: str) -> list[tuple[str, str]]:
    """A remark for a part. It takes the finding for a cause; about an unclear one it would say too much."""
    sentence = voice.say_outcome("remark", *path)
    return [(path[0], sentence)] if finding.clear else []


def _is_recent(voice: Voice, finding: FeatureFinding | Importance) -> bool:
    return finding.week > voice.course.weeks_done - LAST_WEEKS


def _is_among(one: FeatureFinding, others: Sequence[FeatureFinding]) -> bool:
    return any((one.feature, one.week) == (other.feature, other.week) for other in others)
