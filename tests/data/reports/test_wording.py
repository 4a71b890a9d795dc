"""Each phrase with each behaviour: complete, grammatical as far as a rule can tell, and read as what was meant."""

import re
from collections.abc import Iterator

import pytest

from data.catalogue import Feature, load_catalogue
from data.course import Outcome
from data.reports.claims_values import Facts, check_values
from data.reports.findings import gather_findings
from data.reports.phrasebook import fill_slots, find_phrases, load_wordings
from data.reports.sentences import read_sentences
from data.reports.voice import Voice
from tests.data.reports.classes import beside, weighing
from tests.data.reports.phrases import list_forms, list_phrases

FEATURES = [load_catalogue().by_name(name) for name in load_wordings()]
LIMP = re.compile(
    r"\b(\w+) \1\b|  | [,;.]|[{}\[\]|]|\.\.|"
    r"(?<![\d.])1 (?:clicks|answers|sessions|times|points|hours|minutes)\b|\ba [aeio]"
)
# Pairs of raw values by the shown ones: (own, usual), low and high, nothing, one, and the smallest there is.
SHOWN = ((2.0, 7.0), (7.0, 2.0), (0.0, 4.0), (1.0, 3.0), (5.0, 1.0), (6.0, 0.004))

SLOTS = re.findall(
    r"\w+",
    "course left done week topic clause tail typical place noun target points belong their action needs earlier why "
    "marks mark",
)


def raw(feature: Feature, shown: float) -> float:
    most = 99.0 if feature.maximum == 1 else 1e9
    return min(most, shown) / feature.factor


def situations(feature: Feature) -> Iterator[tuple[Outcome, float, float]]:
    """Outcomes with values that make a clear finding."""
    for own, usual in SHOWN:
        outcomes: tuple[Outcome, ...] = ("fail", "pass")
        if feature.good != "depends":
            outcomes = ("pass",) if (own > usual) == (feature.good == "more") else ("fail",)
        yield from ((outcome, raw(feature, own), raw(feature, usual)) for outcome in outcomes)


@pytest.mark.parametrize("feature", FEATURES, ids=lambda one: one.name)
def test_each_behaviour_can_be_said_in_each_way(feature: Feature) -> None:
    for outcome, own, usual in situations(feature):
        one = weighing(feature, own, usual, outcome)
        course, student = beside(feature, own, usual, predicted=outcome, importances=(one,))
        finding = gather_findings(course, student).ranked[0]
        assert finding.clear
        for seed in range(25):
            voice = Voice(course, student, str(seed))
            for sentence in (voice.compare(finding), voice.compare(finding, "more"), voice.compare_rank(finding)):
                assert not LIMP.search(sentence), sentence
                assert sentence[0].isupper() and sentence.endswith(".")
                (said,) = read_sentences(f"- **Abnormal causes:** {sentence}", course)
                assert said.about == (feature, 5), sentence
                assert len(said.quantities) == 2, sentence
                assert list(check_values(said, Facts(student, course))) == [], sentence


@pytest.mark.parametrize("feature", FEATURES, ids=lambda one: one.name)
def test_a_turned_comparison_of_any_behaviour_is_noticed(feature: Feature) -> None:
    for outcome, own, usual in situations(feature):
        course, student = beside(feature, own, usual, predicted=outcome)
        word = "below" if own > usual else "above"
        noun = load_wordings()[feature.name].noun
        text = f"In week 5 {noun} was {feature.shown(own)}, {word} the class median of {feature.shown(usual)}."
        (said,) = read_sentences(text, course)
        assert any("the class's median" in fault for fault in check_values(said, Facts(student, course))), text


@pytest.mark.parametrize("name", ["DelayLecture", "StdTimeBetweenSessions", "AvgTimeSessions"])
def test_what_is_no_contest_is_not_called_stronger_or_ahead(name: str) -> None:
    feature = load_catalogue().by_name(name)
    for outcome, own, usual in situations(feature):
        one = weighing(feature, own, usual, outcome)
        course, student = beside(feature, own, usual, predicted=outcome, importances=(one,))
        for seed in range(60):
            sentence = Voice(course, student, str(seed)).compare(gather_findings(course, student).ranked[0])
            assert not re.search(r"stronger|weaker|ahead|behind|lead over|not yet at|better than", sentence), sentence


def test_early_lectures_are_told_without_a_misleading_sign() -> None:
    feature = load_catalogue().by_name("DelayLecture")
    for own, usual in ((-7200.0, 72000.0), (-7200.0, -36000.0), (90000.0, -7200.0)):
        outcome: Outcome = "fail" if own > usual else "pass"
        one = weighing(feature, own, usual, outcome)
        course, student = beside(feature, own, usual, predicted=outcome, importances=(one,))
        for seed in range(30):
            sentence = Voice(course, student, str(seed)).compare_rank(gather_findings(course, student).ranked[0])
            (said,) = read_sentences(sentence, course)
            assert list(check_values(said, Facts(student, course))) == [], sentence
            assert "-" not in sentence and not LIMP.search(sentence), sentence


def test_every_behaviour_of_the_catalogue_that_can_matter_has_words() -> None:
    silent = {feature.name for feature in load_catalogue()} - set(load_wordings())
    assert silent == {"StdWatchedWeeklyProp", "StdReplayedWeeklyProp", "StdInterruptedWeeklyProp"}
    for feature in FEATURES:
        wording = load_wordings()[feature.name]
        assert feature.good == "less" or (wording.more and wording.high), feature.name
        assert feature.good == "more" or (wording.less and wording.low), feature.name


def test_advice_names_no_behaviour_that_was_not_found() -> None:
    course, _ = beside(FEATURES[0], 1.0, 2.0)
    for name, wording in load_wordings().items():
        for action in (*wording.more, *wording.less, *wording.high, *wording.low):
            for form in list_forms(action):
                (said,) = read_sentences(f"1. In week 6, {form}.", course)
                assert {each.name for each, _ in said.features} <= {name}, form
                assert not LIMP.search(said.text), form
    for outcome in ("fail", "pass"):
        for action in find_phrases("steps", "default", outcome):
            assert not read_sentences(f"1. In week 6, {action}.", course)[0].features, action


def test_nobody_is_told_to_leave_a_quiz_out() -> None:
    for name, wording in load_wordings().items():
        for action in (*wording.more, *wording.less, *wording.high, *wording.low):
            assert not re.search(r"\bonly (?:when|if) you are sure\b|\bskip the quiz\b", action), name


def test_keeping_is_what_a_passing_student_is_advised() -> None:
    keeping = re.compile(r"^(?:keep|go on|stay|hold on|protect)\b")
    for wording in load_wordings().values():
        assert all(keeping.match(action) for action in (*wording.high, *wording.low))


def test_phrases_have_no_digits_and_only_known_slots() -> None:
    slots = dict.fromkeys(SLOTS, "x")
    for place, phrase in list_phrases():
        assert not re.search(r"\d", phrase), place
        for form in list_forms(phrase):
            text = fill_slots(form, slots)
            assert not re.search(r"[{}\[\]|]|  | [,.;]", text.replace(" x", "")), f"{place}: {form}"


def test_a_phrase_is_not_used_twice_while_there_are_others() -> None:
    course, student = beside(FEATURES[0], 1.0, 2.0)
    voice, options = Voice(course, student, "nr"), find_phrases("closings", "fail")
    assert len({voice.pick(options) for _ in options}) == len(options)
