"""EvoCodeBench's fields become the beginning of tasks."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from data.tasks.evocodebench import read_metadata, write_drafts
from data.tasks.format import BrokenTask

ROW: dict[str, Any] = {
    "namespace": "shop.basket.Basket.total",
    "type": "method",
    "project_path": "Example/shop-repository",
    "completion_path": "shop-repository/shop/basket.py",
    "signature_position": [12, 13],
    "body_position": [14, 20],
    "dependency": {
        "intra_class": ["shop.basket.Basket.lines"],
        "intra_file": ["shop.basket.round_price"],
        "cross_file": ["shop.rates.Rates.of", "shop.money.add"],
    },
    "requirement": {"Functionality": "Adds up a “basket”.", "Arguments": ":param self: Basket."},
    "tests": ["tests/test_basket.py::test_total"],
    "indent": 8,
}


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_each_field_has_its_place(tmp_path: Path) -> None:
    (draft,) = read_metadata(write(tmp_path / "metadata.jsonl", ROW))
    assert draft.id == "shop-basket-basket-total"
    assert draft.target == "shop/basket.py::Basket.total"
    assert draft.description == "Adds up a “basket”.\n:param self: Basket."
    assert draft.dependencies == (
        "shop/basket.py::Basket.lines",
        "shop/basket.py::round_price",
        "shop/rates.py::Rates.of",
        "shop/money.py::add",
    )
    assert draft.tests == ("tests/test_basket.py::test_total",)


def test_a_draft_is_a_task_toml_to_complete_and_is_written_once(tmp_path: Path) -> None:
    metadata = write(tmp_path / "metadata.jsonl", ROW, {**ROW, "namespace": "shop.basket.empty"})
    written = write_drafts(metadata, tmp_path / "drafts")
    assert [path.parent.name for path in written] == ["shop-basket-basket-total", "shop-basket-empty"]
    content = tomllib.loads(written[0].read_text(encoding="utf-8"))
    assert content["description_fr"] == ""
    assert [each["symbol"] for each in content["components"]][1] == "shop/basket.py::round_price"
    written[0].write_text("completed", encoding="utf-8")
    assert write_drafts(metadata, tmp_path / "drafts") == []
    assert written[0].read_text(encoding="utf-8") == "completed"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"namespace": 7}, "metadata.jsonl, line 2 namespace: "),
        ({"requirement": {}}, "metadata.jsonl, line 2 requirement Functionality: field required"),
        ({"completion_path": "shop/basket.txt"}, "metadata.jsonl, line 2 completion_path: "),
        ({"dependency": {"cross_file": "one"}}, "metadata.jsonl, line 2 dependency cross_file: "),
    ],
)
def test_a_row_that_does_not_fit_is_told_by_line_and_key(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    with pytest.raises(BrokenTask, match="not a usable task") as error:
        read_metadata(write(tmp_path / "metadata.jsonl", ROW, {**ROW, **change}))
    assert said in str(error.value)
