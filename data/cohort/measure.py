"""How plausible a demo course's simulated students are: `python -m data.cohort.measure dsp`.

Quartiles over all students and weeks of the past run, beside the median and the highest value of the only course whose
values are published (the toy course of Swamy et al. 2022, evaluating-explainers: 9 students, 12 weeks, another course).
Then how well passing is told from each dimension of behaviour alone, and how surely while the others stay.
"""

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from data.behaviour import Floats
from data.catalogue import load_catalogue
from data.cohort.dimensions import SENSE, alone, beside_the_others
from data.course import BundleError
from data.predictor.demo_runs import Runs, demo_runs
from data.predictor.training import Passed

PUBLISHED = {
    "TotalClicks": (157.0, 656.0),
    "NumberOfSessions": (3.0, 11.0),
    "TotalTimeVideo": (8771.0, 38879.0),
    "TotalTimeProblem": (1287.0, 9131.0),
}
"""Median and highest, in the raw unit."""
WIDE = 100


def quartiles(runs: Runs) -> list[str]:
    """A line per feature: quartiles in the shown unit, share missing, correlation with passing (mean of the weeks)."""
    title = f"{'feature':<27}{'q1':>8}{'median':>9}{'q3':>9}{'missing':>9}{'passing':>9}  unit"
    lines = [f"{title:<{WIDE}}published median, highest"]
    for name in runs.past.told_apart():
        feature, values = load_catalogue().by_name(name), runs.past.only([name]).values[:, :, 0]
        known = np.nanpercentile(values, (25, 50, 75)) * feature.factor
        told = correlation(values, runs.passed)
        against = " (against its sense)" if told * SENSE[feature.good] < 0 else ""
        numbers = f"{known[0]:>8.3g}{known[1]:>9.3g}{known[2]:>9.3g}{np.isnan(values).mean():>9.0%}{told:>+9.2f}"
        shown = ", ".join(feature.shown(value) for value in PUBLISHED.get(name, ()))
        lines.append(f"{f'{name:<27}{numbers}  {feature.unit}{against}':<{WIDE}}{shown}".rstrip())
    return lines


def correlation(values: Floats, passed: Passed) -> float:
    """Of values (students, weeks) with passing: the mean over the weeks, of those with a value."""
    outcome, found = passed.astype(float), []
    for week in values.T:
        is_known = ~np.isnan(week)
        if np.unique(week[is_known]).size > 1:
            found.append(float(np.corrcoef(week[is_known], outcome[is_known])[0, 1]))
    return float(np.mean(found)) if found else 0.0


def dimensions(runs: Runs) -> list[str]:
    """A line per dimension; `beside the others` is a Wald statistic, over all weeks and week by week."""
    said, beside = alone(runs.past, runs.passed), beside_the_others(runs.past, runs.passed)
    lines = [f"{'told from':<14}{'AUC':>7}{'balanced acc.':>15}{'beside the others':>20}   by week"]
    for name, each in said.items():
        first, *weeks = beside.get(name, ()) or (None,)
        told = "" if first is None else f"{first:>20.1f}   " + " ".join(f"{week:>5.1f}" for week in weeks)
        lines.append(f"{name:<14}{each.auc:>7.3f}{each.balanced_accuracy:>15.3f}{told}")
    return lines


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both tables for one course."""
    parser = argparse.ArgumentParser(
        prog="python -m data.cohort.measure", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("course", help="dsp, geo, va or lnv")
    try:
        runs = demo_runs(parser.parse_args(arguments).course)
    except BundleError as error:
        print(error, file=sys.stderr)
        return 1
    for name, passed in (("past", runs.passed), ("current", runs.current_passed)):
        print(f"{name} run: {len(passed)} students, {np.mean(passed):.0%} pass")
    print("\n".join(["", *quartiles(runs), "", *dimensions(runs)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
