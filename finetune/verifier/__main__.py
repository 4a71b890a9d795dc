"""Train tracer and verifiers from the folders of `scribe dict`, and measure them by folds of tasks.

    python -m finetune.verifier RUN_DIR… --out DIR [--network] [--rank 8] [--base DIR]

DIR then holds tracer.json (the better tracer), verifier.json (the verifier that asks it), with --network also verifier/
(one on a language model: its head alone, or with --rank also an adapter), their tables and training.json. It appears
whole or not at all; what a fold of the language model foretold is kept beside it until then, for a killed run to go on.
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
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from data.pretrained.conversion import open_base_folder
from data.tasks.reading import TASKS
from eval.lines import describe_problem
from eval.table import Table
from finetune.lora.machine import keep_freed_memory
from finetune.verifier.dialogues import TaughtDialogue, read_dialogues
from finetune.verifier.kept_folds import KeptFolds
from finetune.verifier.report import make_verifier_tables
from finetune.verifier.rivals import (
    ConstantReward,
    LinearReward,
    RewardModel,
    TurnReward,
    embed_samples,
    fit_head,
    foretell_by_folds,
    list_rewards,
)
from finetune.verifier.samples import FOLDS, TurnSample, assign_folds, balance_outcomes, list_folds, make_samples
from finetune.verifier.scores import VerifierScores, score_rewards
from finetune.verifier.traced import TracedReward, UntracedReward, fit_layers, list_value_features, measure_turn
from finetune.verifier.tracers import (
    FoldTracer,
    TracerComparison,
    TracingRows,
    compare_tracers,
    gather_moments,
    make_tracing_tables,
    train_by_folds,
)
from finetune.verifier.training import FrozenVerifier, TrainedVerifier, VerifierNetwork, VerifierSettings
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.plumbing.files import refuse_foreign, replace_folder, write_text
from scribe.plumbing.progress import OnCount, OnProgress, show_progress
from scribe.verify.learned import describe_learned
from scribe.verify.opening import TRACER_FILE, VERIFIER_FILE
from scribe.verify.state_verifier import describe_verifier
from tools.embedding.embedders import MiniLM

ABOUT, VERIFIER = "training.json", "verifier"


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
    rows = gather_moments(dialogues, partial(on_progress, "tracing"))
    trained = train_by_folds(rows, partial(on_progress, "training tracers"), arguments.folds)
    tracing = compare_tracers(rows, trained)
    tables = list(make_tracing_tables(tracing))
    taught = balance_outcomes(dialogues) if arguments.balanced else range(len(dialogues))
    samples = _choose([each for each in make_samples(dialogues) if each.dialogue in taught], arguments.most)
    about = describe_training(dialogues, samples, settings, arguments.folds)
    kept = KeptFolds(arguments.out.with_name(f".{arguments.out.name}.folds"), about)
    with replace_folder(arguments.out) as made:
        write_text(made / TRACER_FILE, json.dumps(tracing.file) + "\n")
        if not arguments.no_verifier:
            write_text(made / VERIFIER_FILE, json.dumps(make_verifier_file(samples, rows, tracing)) + "\n")
            folds = np.array(list_folds([each.task for each in samples], arguments.folds))
            models = list_rivals(dialogues, samples, rows, trained, folds, partial(on_progress, "embedding"))
            scores = {
                name: score_rewards(samples, foretell_by_folds(model, folds, partial(on_progress, name)))
                for name, model in models.items()
            }
            if arguments.network:
                base = arguments.base or open_base_folder()
                scores |= train_network(samples, base, settings, folds, kept, made / VERIFIER, on_progress)
            outcomes = {each.dialogue: each.success for each in samples}
            tables += make_verifier_tables(scores, len(outcomes), sum(outcomes.values()))
        for table in tables:
            write_text(made / f"{table.id}.md", table.markdown() + "\n")
            write_text(made / f"{table.id}.csv", table.csv())
        write_text(made / ABOUT, json.dumps(about, indent=1) + "\n")
    kept.remove()
    return tables


def list_rivals(
    dialogues: Sequence[TaughtDialogue],
    samples: Sequence[TurnSample],
    rows: TracingRows,
    trained: Sequence[FoldTracer],
    folds: NDArray[np.int64],
    on_count: OnCount,
) -> dict[str, RewardModel]:
    """All models that need no language model, by the names of the table."""
    read = [measure_turn(dialogues[each.dialogue].before(each.turn - 1), each.text) for each in samples]
    return {
        "constant": ConstantReward(samples),
        "turn's number": TurnReward(samples),
        "the turn alone": UntracedReward(samples, np.array(read)),
        "linear on MiniLM": LinearReward(samples, embed_samples(samples, MiniLM(), on_count)),
        "asks the tracer": TracedReward(samples, rows, trained, folds),
    }


def train_network(
    samples: Sequence[TurnSample],
    base: Path,
    settings: VerifierSettings,
    folds: NDArray[np.int64],
    kept: KeptFolds,
    out: Path,
    on_progress: OnProgress,
) -> dict[str, VerifierScores]:
    """Measure the verifier on a language model by folds, then write one of all samples into `out`."""
    keep_freed_memory()
    network = VerifierNetwork(base, settings)
    count = partial(on_progress, "training the verifier")
    if settings.rank:
        name, model = "LoRA and head", TrainedVerifier(samples, base, settings, count)
        rewards = foretell_by_folds(model, folds, partial(on_progress, "folds of the verifier"), kept)
        network.train(samples, count)
    else:
        means = network.pool(samples, partial(on_progress, "reading samples"))
        name = "head alone"
        rewards = foretell_by_folds(FrozenVerifier(samples, means), folds, partial(on_progress, "folds"), kept)
        network.take_head(*fit_head(means, list_rewards(samples)))
    network.save(out)
    return {name: score_rewards(samples, rewards)}


def make_verifier_file(
    samples: Sequence[TurnSample], rows: TracingRows, tracing: TracerComparison
) -> dict[str, object]:
    """The file of the verifier that asks the tracer, of all samples."""
    beliefs = rows.trace(tracing.fitted, tracing.layers)
    layers = fit_layers(list_value_features(samples, rows, beliefs), list_rewards(samples))
    return describe_verifier(layers, describe_learned(tracing.layers, tracing.fitted))


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
    parser.add_argument("--balanced", action="store_true", help="as many failures as successes of a task and level")
    parser.add_argument("--most", type=int, default=0, metavar="N", help="samples at most, of whole tasks (all)")
    parser.add_argument("--network", action="store_true", help="also a verifier on a language model")
    parser.add_argument("--base", type=Path, metavar="DIR", help="model folder (default: the one that comes along)")
    parser.add_argument("--rank", type=int, default=0, metavar="N", help="of the adapter; 0: the head alone (0)")
    parser.add_argument("--epochs", type=int, metavar="N")
    parser.add_argument("--batch", type=int, metavar="N", help="samples a step")
    parser.add_argument("--rate", type=float, metavar="X", help="learning rate of the adapter")
    parser.add_argument("--pooling", choices=("all", "response"), help="mean over all tokens, or the turn's (all)")
    parser.add_argument("--layers", type=int, metavar="N", help="so many of the last ones get the adapter (all)")
    parser.add_argument("--half", action="store_true", default=None, help="train in bf16")
    parser.add_argument("--four-bits", action="store_true", default=None, help="hold the base in NF4; needs a GPU")
    parser.add_argument("--device", metavar="NAME", help="of torch (default: the GPU if there is one)")
    parser.add_argument("--seed", type=int, metavar="N")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
