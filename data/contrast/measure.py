"""Explanations of a demo course's students beside two simpler ways: `python -m data.contrast.measure dsp`.

CEM: the changes that students are told of. greedy: the one cell that moves the logit most is set to its
bound, again and again. random: random cells get random values. All within the same bounds and with at most
as many cells. Sizes are medians over the students whose prediction was changed, in deviations. On a busy
machine the clock says little; the processor's seconds (of all cores together) say more.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor

from data.behaviour import Behaviour
from data.contrast.baselines import at_random, greedy
from data.contrast.explain import explain, flips, searching, targets_of
from data.contrast.explanation import Explanation
from data.contrast.negatives import MOST
from data.contrast.seen import Range
from data.course import BundleError
from data.predictor.demo_runs import demo_runs
from data.predictor.monotone import senses
from data.predictor.predictor import Predictor
from data.predictor.training import fit

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Way:
    """One way of changing predictions, on a whole course: changes (students, weeks, features), those found.

    `seconds` by the clock and of the processor.
    """

    name: str
    change: Tensor
    found: Tensor
    seconds: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Case:
    """What all ways look at."""

    predictor: Predictor
    own: Behaviour
    view: Range


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure on one course or several."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m data.contrast.measure", description=__doc__, formatter_class=plain)
    parser.add_argument("course", nargs="*", default=["dsp"], help="dsp, geo, va or lnv")
    try:
        for course in parser.parse_args(arguments).course:
            print(f"{course}\n{measured(course)}\n", flush=True)
    except BundleError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def measured(course: str) -> str:
    """The table of one course."""
    runs = demo_runs(course)
    predictor = fit(runs.past, runs.passed)
    own = predictor.scale.taken(runs.current)
    case = Case(predictor, own, Range.of(own))
    explanations, seconds = _timed(lambda: explain(predictor, own, case.view))
    told = Way("CEM", *_as_tensors(case, explanations), seconds)
    sufficient = [len(each.sufficient) for each in explanations]
    lines = [
        compared(case, (told, *_simpler(case))),
        f"CEM: {_by_class(explanations)}; sufficient: median {statistics.median(sufficient):g} feature-weeks, "
        f"none for {np.mean([count == 0 for count in sufficient]):.0%}",
    ]
    return "\n".join(lines)


def _simpler(case: Case) -> tuple[Way, ...]:
    search = searching(case.predictor, case.own, case.view)
    greedily, seconds = _timed(lambda: greedy(case.predictor, search, MOST[-1]))
    by_chance, instants = _timed(lambda: at_random(case.predictor, search, MOST[-1]))
    return Way("greedy", *greedily, seconds), Way("random", *by_chance, instants)


def _timed(work: Callable[[], Result]) -> tuple[Result, tuple[float, float]]:
    clock, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, (time.perf_counter() - clock, time.process_time() - processor)


def compared(case: Case, ways: Sequence[Way]) -> str:
    """A line per figure, a column per way."""
    rows: dict[str, Callable[[Way], str]] = {
        "students": lambda way: f"{len(way.found)}",
        "explained": lambda way: f"{way.found.float().mean():.1%}",
        "of these, prediction flips": lambda way: f"{_flip_share(case, way):.1%}",
        "feature-weeks, median": lambda way: f"{_counts(way).median():.0f}",
        "  lowest and highest tenth": _tenths,
        "features, median": lambda way: f"{_named(way, 1).median():.0f}",
        "weeks, median": lambda way: f"{_named(way, 2).median():.0f}",
        "size L1, median": lambda way: f"{_sizes(way).sum(dim=(1, 2)).median():.1f}",
        "size L2, median": lambda way: f"{_sizes(way).square().sum(dim=(1, 2)).sqrt().median():.1f}",
        "changes the catalogue's way": lambda way: f"{_agreeing(case, way):.1%}",
        "changes towards the median": lambda way: f"{_towards_median(case, way):.1%}",
        "features used by the course": lambda way: f"{int(_sizes(way).sum(dim=(0, 1)).count_nonzero())}",
        "share of week 1, 2, …": _weeks,
        "seconds by the clock": lambda way: f"{way.seconds[0]:.1f}",
        "seconds of the processor": lambda way: f"{way.seconds[1]:.1f}",
    }
    head = f"{'':<30}" + "".join(f"{way.name:>28}" for way in ways)
    return "\n".join([head, *(f"{name:<30}" + "".join(f"{of(way):>28}" for way in ways) for name, of in rows.items())])


def _as_tensors(case: Case, explanations: Sequence[Explanation]) -> tuple[Tensor, Tensor]:
    change = torch.zeros(case.own.values.shape)
    column = {name: number for number, name in enumerate(case.own.features)}
    for row, explanation in enumerate(explanations):
        for each in explanation.changes:
            change[row, each.week - 1, column[each.feature]] = each.change
    return change, torch.tensor([bool(each.changes) for each in explanations])


def _sizes(way: Way) -> Tensor:
    return way.change[way.found].abs()


def _counts(way: Way) -> Tensor:
    return (_sizes(way) > 0.0).float().sum(dim=(1, 2))


def _tenths(way: Way) -> str:
    low, high = (torch.quantile(_counts(way), share) for share in (0.1, 0.9))
    return f"{low:.0f}..{high:.0f}"


def _named(way: Way, axis: int) -> Tensor:
    return (_sizes(way) > 0.0).any(dim=axis).float().sum(dim=1)


def _weeks(way: Way) -> str:
    share = (_sizes(way) > 0.0).float().sum(dim=(0, 2))
    return " ".join(f"{each:.0%}" for each in share / share.sum())


def _flip_share(case: Case, way: Way) -> float:
    targets = targets_of(case.predictor, case.own, case.view, way.change)
    return float(flips(case.predictor, case.own, targets)[way.found.numpy()].mean())


def _agreeing(case: Case, way: Way) -> float:
    """Of the changes of features with a sense, those that are good on the way to pass, or bad on the way to fail."""
    search = searching(case.predictor, case.own, case.view)
    good = search.toward[:, None, None] * senses(case.own.features) * way.change.sign()
    told = good[way.found][good[way.found] != 0.0]
    return float((told > 0.0).float().mean())


def _towards_median(case: Case, way: Way) -> float:
    side = np.sign(case.view.median - case.own.values) * way.change.sign().numpy()
    return float((side[way.found.numpy()][(_sizes(way) > 0.0).numpy()] > 0.0).mean())


def _by_class(explanations: Sequence[Explanation]) -> str:
    parts = []
    for outcome in ("pass", "fail"):
        found = [bool(each.changes) for each in explanations if each.flips_to == outcome]
        parts.append(f"{sum(found)} of {len(found)} to {outcome}")
    return ", ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
