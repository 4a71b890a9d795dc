"""The reliability curve and the file it is drawn from."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data.course import BundleError
from data.pictures.reliability import describe_reliability, draw_reliability_curve
from data.predictor.quality import Bin, Quality, Scores, read_quality
from tests.data.pictures.looking import covered, texts

BINS = (Bin(0.1, 0.2, 40), Bin(0.3, 0.25, 40), Bin(0.9, 0.8, 40))
QUALITY = Quality(
    120, 0.42, {"BiLSTM": Scores(0.81, 0.9, 0.11, 0.08, BINS), "logistic": Scores(0.7, 0.8, 0.2, 0.1, BINS)}
)


def changed(path: list[Any], value: Any) -> dict[str, Any]:
    """The file's content with one entry replaced."""
    content: Any = QUALITY.as_json()
    entry = content
    for key in path[:-1]:
        entry = entry[key]
    entry[path[-1]] = value
    return dict(content)


def test_what_the_pipeline_writes_is_read_back(tmp_path: Path) -> None:
    (tmp_path / "quality.json").write_text(json.dumps({**QUALITY.as_json(), "seed": 3, "features": ["A"]}))
    assert read_quality(tmp_path) == QUALITY


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ([], "the whole file"),
        ({"students": 3}, "quality.json, passed"),
        (changed(["models"], {}), "models: .*at least 1"),
        (changed(["models", "BiLSTM", "auc"], "high"), r"models.BiLSTM.auc: .*number"),
        (changed(["models", "BiLSTM", "reliability"], []), "models.BiLSTM.reliability: .*at least 1"),
        (
            changed(["models", "BiLSTM", "reliability", 1, "passed"], 1.2),
            r"reliability.1.passed: .*less than or equal to 1",
        ),
        (
            changed(["models", "BiLSTM", "reliability", 2, "count"], 0),
            r"reliability.2.count: .*greater than or equal to 1",
        ),
    ],
)
def test_a_file_that_is_wrong_is_named_with_the_entry(tmp_path: Path, content: Any, complaint: str) -> None:
    (tmp_path / "quality.json").write_text(json.dumps(content))
    with pytest.raises(BundleError, match=complaint):
        read_quality(tmp_path)


def test_a_file_that_is_absent_or_no_json_is_named(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"quality.json: the file is missing"):
        read_quality(tmp_path)
    (tmp_path / "quality.json").write_text("{")
    with pytest.raises(BundleError, match="Invalid JSON"):
        read_quality(tmp_path)


def test_the_curve_shows_each_model_with_its_scores() -> None:
    figure = draw_reliability_curve(QUALITY, "Signals in Short")
    shown = texts(figure)
    assert "share who passed" in shown
    said = " ".join(shown)
    assert all(words in said for words in ("Signals in Short", "BiLSTM: ", "logistic: ", "accuracy 0.810", "AUC 0.900"))
    assert covered(figure) == []
    curve, counts = figure.axes
    drawn = [np.asarray(line.get_xydata()) for line in curve.get_lines()]
    assert any(np.allclose(points, [(0.1, 0.2), (0.3, 0.25), (0.9, 0.8)]) for points in drawn if len(points) == 3)
    assert any(np.allclose(points, [(0, 0), (1, 1)]) for points in drawn if len(points) == 2)
    spans = [np.array(path.vertices)[:, 1] for lines in curve.collections for path in lines.get_paths()]
    assert any(np.allclose(span, (0.1419, 0.4019), atol=1e-4) for span in spans)  # Wilson's for 10 of 40
    assert [np.asarray(patch.get_path().vertices)[:, 1].max() for patch in counts.patches] == [40, 40]


def test_in_words_each_model_gets_a_sentence() -> None:
    said = describe_reliability(QUALITY)
    assert "BiLSTM: where it said 10% on average, 20% passed, and where it said 90%, 80% did" in said
    assert "on average it was off by 8%" in said


def test_more_models_than_can_be_told_apart_are_refused() -> None:
    models = {str(number): QUALITY.models["BiLSTM"] for number in range(4)}
    with pytest.raises(ValueError, match="at most 3"):
        draw_reliability_curve(Quality(120, 0.4, models))
