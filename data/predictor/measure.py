"""How well a demo course's outcomes are predicted: `python -m data.predictor.measure dsp`.

Cross-validated by student on the simulated past run, after the weeks that are over in the current one: the
BiLSTM that students are told of, the same without its penalty for a logit that falls as behaviour gets
better, and a logistic regression. The last line of each table is no model and needs no past run: whoever has
an average so far of at least the pass mark is told to pass. It reads the marks, which the models do not.
`against`: of all slopes of features with a sense, at the current students, the part that points against it.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import torch

from data.behaviour import Behaviour
from data.course import BundleError
from data.predictor.demo_runs import Runs, demo_runs
from data.predictor.logistic import fit_logistic
from data.predictor.marks import Marks, demo_marks
from data.predictor.monotone import senses
from data.predictor.predictor import Predictor
from data.predictor.quality import Quality, Scores
from data.predictor.training import Passed, Training, fit
from data.predictor.validation import BILSTM, LOGISTIC, compare

Fit = Callable[[Behaviour, Passed], Predictor]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure on one course or several."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("python -m data.predictor.measure", description=__doc__, formatter_class=plain)
    parser.add_argument("course", nargs="*", default=["dsp"], help="dsp, geo, va or lnv")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    try:
        for course in given.course:
            print(f"{course}\n{measured(demo_runs(course), demo_marks(course), given.folds, given.seed)}\n", flush=True)
    except BundleError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def measured(runs: Runs, marks: tuple[Marks, Marks], folds: int, seed: int) -> str:
    """The tables of one course."""
    models = _models(seed)
    quality = compare(runs.past, runs.passed, models, folds, seed)
    lines = [f"cross-validated on {quality.students} past students, {quality.passed:.0%} passed", quality.table()]
    lines += [marks[0].line(), ""]
    lines += [f"fitted on all past students, for {len(runs.current_passed)} current ones"]
    scores, notes = {}, []
    for name, fitted in models.items():
        began = time.perf_counter()
        predictor = fitted(runs.past, runs.passed)
        seconds = time.perf_counter() - began
        scores[name] = Scores.of(predictor.probability(runs.current), runs.current_passed)
        notes.append(f"{name:<22}against {against_sense(predictor, runs.current):.2%}, fitted in {seconds:.1f} s")
    current = Quality(len(runs.current_passed), float(runs.current_passed.mean()), scores)
    return "\n".join([*lines, current.table(), marks[1].line(), *notes])


def _models(seed: int) -> dict[str, Fit]:
    free = replace(Training(), monotone=0.0)
    return {
        BILSTM: lambda behaviour, passed: fit(behaviour, passed, seed=seed),
        f"{BILSTM}, no penalty": lambda behaviour, passed: fit(behaviour, passed, free, seed),
        LOGISTIC: fit_logistic,
    }


def against_sense(predictor: Predictor, behaviour: Behaviour) -> float:
    """Of all slopes of the logit at students, summed over features with a sense, the part against it, 0..1."""
    scaled, missing = predictor.scaled(behaviour)
    scaled.requires_grad_()
    (slope,) = torch.autograd.grad(predictor.logit(scaled, missing).sum(), scaled)
    good = slope * senses(predictor.features) * (1.0 - missing)
    return float(torch.relu(-good).sum() / good.abs().sum())


if __name__ == "__main__":
    sys.exit(main())
