"""The two tracers and their files."""

import json
from pathlib import Path

import numpy as np
import pytest

from scribe.plumbing.errors import ModelFileError, UsageError
from scribe.tutor.session import StudentTurn, TutoringSession, TutorTurn
from scribe.verify.bayesian import BayesianTracer, BktParameters, describe_bayesian, learn, observe
from scribe.verify.features import FEATURES, cut_to_load, measure_features
from scribe.verify.layers import Layer, estimate
from scribe.verify.learned import LearnedTracer, describe_learned
from scribe.verify.opening import open_tracer
from tests.scribe.tutor.lesson import BRIEF, SESSION

EMPTY = TutoringSession(BRIEF)
NAMED = EMPTY.then(TutorTurn("The function discount lowers it; then every price is added."))


def write(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def one_layer(**weights: float) -> tuple[Layer, ...]:
    return (Layer(np.array([[weights.get(name, 0.0) for name in FEATURES]]), np.array([-1.0])),)


def test_bayes_rule_and_learning_are_those_of_corbett_and_anderson() -> None:
    assert observe(0.5, True, slip=0.1, guess=0.2) == pytest.approx(0.5 * 0.9 / (0.5 * 0.9 + 0.5 * 0.2))
    assert observe(0.5, False, slip=0.1, guess=0.2) == pytest.approx(0.5 * 0.1 / (0.5 * 0.1 + 0.5 * 0.8))
    assert learn(0.4, 0.5) == pytest.approx(0.7)


def test_before_anything_is_said_the_belief_is_the_prior_of_the_kind() -> None:
    given = BktParameters(prior_dependency=0.6, prior_step=0.2)
    assert BayesianTracer(given).trace(EMPTY) == {"start": 0.2, "each-price": 0.6}


def test_what_the_tutor_explains_is_known_more_likely_and_a_question_lowers_it_again() -> None:
    tracer = BayesianTracer()
    before, named = tracer.trace(EMPTY), tracer.trace(NAMED)
    assert named["each-price"] > before["each-price"]
    assert named["start"] == before["start"]
    asked = tracer.trace(NAMED.then(StudentTurn("What does discount do?")))
    repeated = tracer.trace(NAMED.then(StudentTurn("So discount, and every price is added.")))
    assert asked["each-price"] < named["each-price"] < repeated["each-price"]


def test_passing_tests_convince_more_than_words() -> None:
    tracer = BayesianTracer()
    said = tracer.trace(NAMED.then(StudentTurn("So discount, and every price is added.")))
    shown = tracer.trace(NAMED.then(StudentTurn("", "x", "test_sum: passed\ntest_one: passed")))
    assert shown["each-price"] > said["each-price"]


def test_a_parameter_that_is_no_probability_is_refused() -> None:
    with pytest.raises(UsageError, match="learn"):
        BktParameters(learn=1.0)


def test_fitted_parameters_come_from_a_file(tmp_path: Path) -> None:
    fitted = BktParameters(learn=0.77)
    assert open_tracer(write(tmp_path / "t.json", describe_bayesian(fitted))) == BayesianTracer(fitted)


def test_without_a_file_the_shipped_tracer_is_opened_which_is_not_that_by_hand() -> None:
    tracer = open_tracer()
    assert tracer != BayesianTracer()
    before, named = tracer.trace(EMPTY), tracer.trace(NAMED)
    assert named["each-price"] > before["each-price"]


def test_features_are_those_that_the_names_say() -> None:
    rows = measure_features(NAMED, {"start": 0.1, "each-price": 0.9})
    assert rows.shape == (2, len(FEATURES))
    told = dict(zip(FEATURES, rows[1], strict=True))
    assert (told["dependency"], told["bayesian"], told["named_last"], told["treated_last"]) == (1.0, 0.9, 1.0, 1.0)
    assert dict(zip(FEATURES, rows[0], strict=True))["named"] == 0.0


def test_features_tell_who_spoke_last_and_what_was_asked_before_the_tutor_spoke() -> None:
    asked = NAMED.then(StudentTurn("What does discount do?"))
    beliefs = {"start": 0.1, "each-price": 0.9}

    def tell(session: TutoringSession) -> tuple[float, float]:
        told = dict(zip(FEATURES, measure_features(session, beliefs)[1], strict=True))
        return told["tutor_last"], told["asked_before"]

    assert tell(EMPTY) == (0.0, 0.0)
    assert tell(asked) == (0.0, 0.0)
    assert tell(asked.then(TutorTurn("It lowers a price."))) == (1.0, 1.0)
    assert tell(asked.then(TutorTurn("It lowers a price.")).then(StudentTurn("Ah."))) == (0.0, 1.0)


def test_only_the_last_sixty_words_are_heard() -> None:
    long = NAMED.turns[0].text + " word" * 60
    rows = measure_features(EMPTY.then(TutorTurn(long)), {"start": 0.1, "each-price": 0.9})
    told = dict(zip(FEATURES, rows[1], strict=True))
    assert (told["treated_last"], told["heard_last"], told["long_last"]) == (1.0, 0.0, 1.0)
    assert len(cut_to_load(long).split()) == 60


def test_the_learned_tracer_is_the_network_of_its_file(tmp_path: Path) -> None:
    layers = one_layer(treated_last=2.0)
    tracer = open_tracer(write(tmp_path / "t.json", describe_learned(layers, BktParameters())))
    assert isinstance(tracer, LearnedTracer)
    known = tracer.trace(NAMED)
    assert known["each-price"] == pytest.approx(1 / (1 + np.exp(-1.0)))
    assert known["start"] < known["each-price"]


def test_hidden_layers_are_tanh() -> None:
    hidden = Layer(np.array([[1.0, -1.0], [0.5, 0.5]]), np.array([0.0, 0.1]))
    last = Layer(np.array([[2.0, -3.0]]), np.array([0.2]))
    given = np.array([[0.3, 0.8]])
    inner = np.tanh(given @ hidden.weights.T + hidden.bias)
    wanted = 1 / (1 + np.exp(-(inner @ last.weights.T + last.bias)[:, 0]))
    assert estimate((hidden, last), given) == pytest.approx(wanted)


def test_an_absent_tracer_is_told_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"no tracer at .*gone\.json"):
        open_tracer(tmp_path / "gone.json")


LEARNED = describe_learned(one_layer(), BktParameters())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 0}, "version 0"),
        ({"format": "other"}, "not a tracer"),
        ({"kind": "deep"}, "'deep'"),
        ({"features": ["other"]}, "other features"),
        ({"layers": []}, "one number"),
        ({"layers": [{"weights": [[1.0]], "bias": [0.0]}]}, "layer 1"),
        ({"bayesian": {"nonsense": 1.0}}, "not readable"),
        ({"layers": [{"bias": [0.0]}]}, "not readable"),
    ],
)
def test_a_tracer_of_another_version_or_shape_is_refused(tmp_path: Path, change: dict[str, object], said: str) -> None:
    with pytest.raises(ModelFileError, match=said):
        open_tracer(write(tmp_path / "t.json", {**LEARNED, **change}))


def test_bayesian_parameters_that_are_missing_are_refused(tmp_path: Path) -> None:
    data = describe_bayesian(BktParameters()) | {"parameters": {"learn": 0.5}}
    with pytest.raises(ModelFileError, match="prior_step"):
        open_tracer(write(tmp_path / "t.json", data))


def test_both_tracers_speak_of_every_component() -> None:
    names = {each.name for each in BRIEF.components}
    assert BayesianTracer().trace(SESSION).keys() == LearnedTracer(one_layer()).trace(SESSION).keys() == names
