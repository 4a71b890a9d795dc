"""The demo bundles that come with the package are what a build makes of the simulated students."""

import dataclasses
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from data.build.logs import CourseRun, measure_run
from data.build.sources import BuildSources, BuildSteps, EarlierRun, Tolerance
from data.bundle import COURSES, load_material
from data.cohort.demo import load_demo, write_events


def test_simulated_students_have_the_values_of_the_bundle(tmp_path: Path) -> None:
    course, schedule = load_material(COURSES / "lnv")
    cohort = dataclasses.replace(load_demo("lnv"), students=40).simulate(course, schedule, past=False)
    log = tmp_path / "events.parquet"
    write_events(log, cohort.events)
    run = CourseRun("current run", schedule, sorted(cohort.passed), [log])
    sources = BuildSources([log], log, EarlierRun([log], log), "parquet")
    behaviour, counts = measure_run(run, course.weeks_done, sources, tmp_path, Tolerance(), BuildSteps())
    assert counts.used and behaviour.students[-1] == "s040"
    stored = np.full(behaviour.values.shape, np.nan)
    column = {name: number for number, name in enumerate(behaviour.features)}
    row = {student: number for number, student in enumerate(behaviour.students)}
    for each in pq.read_table(COURSES / "lnv" / "students.parquet").to_pylist():
        if each["student"] in row and each["value"] is not None:
            stored[row[each["student"]], each["week"] - 1, column[each["feature"]]] = each["value"]
    kept = [number for name, number in column.items() if not np.isnan(stored[:, :, number]).all()]
    np.testing.assert_allclose(behaviour.values[:, :, kept], stored[:, :, kept], rtol=0, atol=2e-6)
