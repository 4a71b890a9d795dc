"""What is measured on the demo courses is what their bundles are built from."""

import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from data.bundle import COURSES
from data.cohort.demo import SETTINGS
from data.predictor.demo_runs import demo_runs


def test_the_students_come_in_the_order_of_a_build_with_the_values_of_the_bundle(tmp_path: Path) -> None:
    fewer = re.sub(r"past_students = .*", "past_students = 1001", SETTINGS.read_text(encoding="utf-8"))
    (tmp_path / "demo.toml").write_text(fewer, encoding="utf-8")
    runs = demo_runs("lnv", tmp_path / "demo.toml")
    assert list(runs.past.students) == sorted(runs.past.students)
    assert runs.past.students[-1] == "p999", "p1000 stands before p101: the parts of a cross-validation depend on it"
    assert runs.past.features == runs.current.features

    column = {name: number for number, name in enumerate(runs.current.features)}
    row = {student: number for number, student in enumerate(runs.current.students)}
    stored = np.full(runs.current.values.shape, np.nan)
    for each in pq.read_table(COURSES / "lnv" / "students.parquet").to_pylist():
        if each["feature"] in column and each["value"] is not None:
            stored[row[each["student"]], each["week"] - 1, column[each["feature"]]] = each["value"]
    np.testing.assert_allclose(runs.current.values, stored, rtol=0, atol=2e-6)
