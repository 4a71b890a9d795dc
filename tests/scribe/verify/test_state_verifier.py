"""The verifier that asks the tracer."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from scribe.plumbing.errors import ModelFileError
from scribe.tutor.session import TutoringSession, TutorTurn
from scribe.verify.bayesian import BktParameters, describe_bayesian
from scribe.verify.layers import Layer
from scribe.verify.opening import SHIPPED, TRACER_FILE, VERIFIER_FILE, open_verifier
from scribe.verify.state_verifier import VALUE_FEATURES, StateVerifier, describe_verifier, measure_value
from tests.scribe.tutor.lesson import BRIEF, SESSION

EXPLAINS = "The function discount lowers it; then every price is added."
TALKS = "Take your time."


@dataclass(frozen=True, slots=True)
class ScriptedTracer:
    """Believes in a component as often as its name was said."""

    def trace(self, session: TutoringSession) -> Mapping[str, float]:
        said = " ".join(turn.text for turn in session.turns)
        return {each.name: min(0.9, 0.1 + 0.4 * said.count(each.name)) for each in session.brief.components}


def make_layers(**weights: float) -> tuple[Layer, ...]:
    return (Layer(np.array([[weights.get(name, 0.0) for name in VALUE_FEATURES]]), np.array([0.0])),)


def test_a_turn_is_worth_what_the_student_would_know_after_it() -> None:
    verifier = StateVerifier(ScriptedTracer(), make_layers(unknown=-3.0))
    one, both, none = verifier.value(TutoringSession(BRIEF), ("start", "start each-price", "Well.")).rewards
    assert both > one > none
    assert verifier.value(SESSION, ()).rewards == ()


def test_the_features_are_those_that_the_names_say() -> None:
    told = dict(zip(VALUE_FEATURES, measure_value(np.array([0.1, 0.5]), np.array([0.6, 0.5]), 4), strict=True))
    assert told["rounds"] == 0.5
    assert (told["components"], told["unknown"]) == pytest.approx((0.2, 0.09))
    assert (told["least"], told["gained"]) == pytest.approx((0.5, 0.5))
    assert told["surest"] == pytest.approx((np.log(0.6) + np.log(0.5)) / 2)
    assert len(measure_value(np.array([]), np.array([]), 0)) == len(VALUE_FEATURES)


def test_the_shipped_verifier_prefers_a_turn_that_explains_what_is_unknown() -> None:
    verifier = open_verifier()
    start = TutoringSession(BRIEF)
    explains, talks = verifier.value(start, (EXPLAINS, TALKS)).rewards
    assert 0 < talks < explains < 1
    again = SESSION.then(TutorTurn(EXPLAINS))
    assert verifier.value(again.then(SESSION.turns[1]), (EXPLAINS,)).rewards[0] > talks


FILE = describe_verifier(make_layers(), describe_bayesian(BktParameters()))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 0}, "version 0"),
        ({"format": "other"}, "'other'"),
        ({"features": ["other"]}, "other features"),
        ({"layers": []}, "one number"),
        ({"tracer": 3}, "not a verifier"),
        ({"tracer": {"format": "other"}}, "not a tracer"),
    ],
)
def test_a_verifier_of_another_version_or_shape_is_refused(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    path = tmp_path / "v.json"
    path.write_text(json.dumps({**FILE, **change}), encoding="utf-8")
    with pytest.raises(ModelFileError, match=said):
        open_verifier(path)


def test_a_verifier_on_a_language_model_needs_the_model(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="the model under it"):
        open_verifier(tmp_path)


@pytest.mark.parametrize("name", [TRACER_FILE, VERIFIER_FILE])
def test_the_shipped_files_are_those_of_the_card(name: str) -> None:
    card = (SHIPPED / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256((SHIPPED / name).read_bytes()).hexdigest() in card
