"""Train tracer and verifier from the folders of `scribe dict`, and measure both by folds of tasks.

    python -m finetune.verifier RUN_DIR… --out DIR [--rank 8] [--base DIR]

DIR then holds tracer.json (the tracer with the lower log loss), verifier/ (for `scribe dict --verifier`), their tables
and training.json. It appears whole or not at all. Without --rank only the head is trained, in minutes on a processor.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter, ValidationError

from data.pretrained.conversion import open_base_folder
from data.tasks.reading import TASKS
from eval.lines import describe_problem
from eval.table import Table
from finetune.verifier.dialogues import TaughtDialogue, read_dialogues
from finetune.verifier.report import make_verifier_tables
from finetune.verifier.rivals import (
    ConstantReward,
    LinearReward,
    RewardModel,
    TurnReward,
    embed_samples,
    foretell_by_folds,
    list_rewards,
)
from finetune.verifier.samples import FOLDS, TurnSample, assign_folds, list_folds, make_samples
from finetune.verifier.scores import score_rewards
from finetune.verifier.tracers import compare_tracers, make_tracing_table
from finetune.verifier.training import FrozenVerifier, TrainedVerifier, VerifierNetwork, VerifierSettings, fit_head
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.plumbing.files import refuse_foreign, replace_folder
from scribe.plumbing.progress import OnProgress, show_progress
from tools.embedding.embedders import MiniLM

ABOUT, TRACER, VERIFIER = "training.json", "tracer.json", "verifier"


def main(words: Sequence[str] | None = None) -> int:
    """Train and print; 0 if it is done, 2 if it is refused."""
    arguments = _parse(words)
    try:
        with show_progress() as on_progress:
            tables = train(arguments, on_progress)
    except ScribeError as error:
        print(error, file=sys.stderr)
        return 2
    for table in tables:
        print(f"{table.markdown()}\n")
    print(f"written to {arguments.out}")
    return 0


def train(arguments: argparse.Namespace, on_progress: OnProgress) -> list[Table]:
    """All of it. Raises UsageError, RecordError, ModelFileError or SandboxMissing."""
    settings = read_settings(arguments)
    refuse_foreign(arguments.out, ABOUT)
    dialogues = read_dialogues(arguments.runs, partial(on_progress, "reading dialogues"), arguments.tasks_folder)
    tracing = compare_tracers(dialogues, partial(on_progress, "tracing"), arguments.folds)
    tables = [make_tracing_table(tracing)]
    samples = _choose(make_samples(dialogues), arguments.most)
    with replace_folder(arguments.out) as made:
        (made / TRACER).write_text(json.dumps(tracing.file, indent=1) + "\n", encoding="utf-8")
        if not arguments.no_verifier:
            base = arguments.base or open_base_folder()
            tables += train_verifier(samples, base, settings, arguments.folds, made / VERIFIER, on_progress)
        for table in tables:
            (made / f"{table.id}.md").write_text(table.markdown() + "\n", encoding="utf-8")
            (made / f"{table.id}.csv").write_text(table.csv(), encoding="utf-8")
        about = describe_training(dialogues, samples, settings, arguments.folds)
        (made / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    return tables


def train_verifier(
    samples: Sequence[TurnSample],
    base: Path,
    settings: VerifierSettings,
    count: int,
    out: Path,
    on_progress: OnProgress,
) -> tuple[Table, Table]:
    """Measure the verifier and its rivals by folds, then write a verifier of all samples into `out`."""
    folds = np.array(list_folds([each.task for each in samples], count))
    embedded = embed_samples(samples, MiniLM(), partial(on_progress, "embedding"))
    models: dict[str, RewardModel] = {
        "constant": ConstantReward(samples),
        "turn's number": TurnReward(samples),
        "linear on MiniLM": LinearReward(samples, embedded),
    }
    network = VerifierNetwork(base, settings)
    if settings.rank:
        training = partial(on_progress, "training the verifier of a fold")
        models["LoRA and head"] = TrainedVerifier(samples, base, settings, training)
    else:
        means = network.pool(samples, partial(on_progress, "reading samples"))
        models["head alone"] = FrozenVerifier(samples, means)
    scores = {}
    for name, model in models.items():
        rewards = foretell_by_folds(model, folds, partial(on_progress, f"foretelling, {name}"))
        scores[name] = score_rewards(samples, rewards)
    if settings.rank:
        network.train(samples, partial(on_progress, "training the verifier"))
    else:
        network.take_head(*fit_head(means, list_rewards(samples)))
    network.save(out)
    outcomes = {each.dialogue: each.success for each in samples}
    return make_verifier_tables(scores, len(outcomes), sum(outcomes.values()))


def read_settings(arguments: argparse.Namespace) -> VerifierSettings:
    """The verifier's settings. Raises UsageError for one that cannot be."""
    names = VerifierSettings.__slots__
    given = {name: getattr(arguments, name) for name in names if getattr(arguments, name, None) is not None}
    try:
        return TypeAdapter(VerifierSettings).validate_python(given)
    except ValidationError as error:
        raise UsageError(f"the verifier cannot be trained so: {describe_problem(error)}") from error


def describe_training(
    dialogues: Sequence[TaughtDialogue], samples: Sequence[TurnSample], settings: VerifierSettings, folds: int
) -> dict[str, object]:
    """What was trained on, and how."""
    tutors = sorted({each.key.tutor for each in dialogues})
    counts = {name: sum(each.key.tutor == name for each in dialogues) for name in tutors}
    passed = {name: sum(each.success for each in dialogues if each.key.tutor == name) for name in tutors}
    tasks = len({each.key.task for each in dialogues})
    return {
        "dialogues": counts,
        "successes": passed,
        "tasks": tasks,
        "samples": len(samples),
        "folds": folds,
        "settings": asdict(settings),
    }


def _choose(samples: list[TurnSample], most: int) -> list[TurnSample]:
    """Samples of whole tasks, at most `most` of them, the first tasks by the order of folds; 0: all."""
    sizes = Counter(each.task for each in samples)
    kept, total = set[str](), 0
    for name in assign_folds(sizes, 1):
        if most and total + sizes[name] > most:
            break
        kept.add(name)
        total += sizes[name]
    return [each for each in samples if each.task in kept]


def _parse(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m finetune.verifier", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR", help="folders that `scribe dict` wrote")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR")
    parser.add_argument("--tasks-folder", type=Path, default=TASKS, metavar="DIR", help="where the tasks lie")
    parser.add_argument("--folds", type=int, choices=range(2, 42), default=FOLDS, metavar="N", help="of tasks (5)")
    parser.add_argument("--no-verifier", action="store_true", help="the tracer alone")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="samples at most, of whole tasks (all)")
    parser.add_argument("--base", type=Path, metavar="DIR", help="model folder (default: the one that comes along)")
    parser.add_argument("--rank", type=int, default=0, metavar="N", help="of the adapter; 0: the head alone (0)")
    parser.add_argument("--epochs", type=int, metavar="N")
    parser.add_argument("--batch", type=int, metavar="N", help="samples a step")
    parser.add_argument("--rate", type=float, metavar="X", help="learning rate of the adapter")
    parser.add_argument("--pooling", choices=("all", "response"), help="mean over all tokens, or the turn's (all)")
    parser.add_argument("--four-bits", action="store_true", default=None, help="hold the base in NF4; needs a GPU")
    parser.add_argument("--device", metavar="NAME", help="of torch (default: the GPU if there is one)")
    parser.add_argument("--seed", type=int, metavar="N")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
