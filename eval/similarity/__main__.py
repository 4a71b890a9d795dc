"""Compare two files of questions.

    python -m eval.similarity questions.jsonl eval/student_questions.jsonl --out DIR

The first file is of generated questions, the second of real ones. DIR gets groups.csv, hotelling.csv, centres.csv,
tsne.csv, questions.csv and their pictures; the first three are printed too.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from eval.similarity import figures, tables, texts
from eval.similarity.measured import Measured, measure
from eval.similarity.perplexity import Reader
from scribe.errors import ScribeError, UsageError
from tools.embedding.embedders import MINILM, RECIPES, open_embedder

OWN_MODEL = (
    "Perplexity is that of the model that comes with Scribe, which learned to answer such questions, not to write "
    "them. Name another with --model."
)


def main(words: Sequence[str] | None = None) -> int:
    """Measure, write, print; 2 if the files cannot be compared."""
    given = _arguments(words)
    try:
        read = open_embedder(given.embedder, given.embedder_path)
        found = measure(
            texts.read(given.generated),
            texts.read(given.real),
            texts.strangers(given.random),
            Reader(given.model).perplexities,
            read.embed,
            given.seed,
            given.resamples,
        )
        write(found, given.out)
    except ScribeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    shown = (tables.groups(found), tables.pairs(found), tables.centres(found))
    print("\n\n".join(table.markdown() for table in shown))
    if given.model is None:
        print(f"\n{OWN_MODEL}")
    return 0


def write(found: Measured, out: Path) -> None:
    """Write tables and figures into a folder, each file whole or not at all. Raises UsageError if it cannot be."""
    each = (tables.groups, tables.pairs, tables.centres, tables.points, tables.questions)
    content = {f"{table.id}.csv": table.csv().encode("utf-8", "replace") for table in (make(found) for make in each)}
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, data in (content | figures.figures(found)).items():
            _put(out / name, data)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}; give another --out") from error


def _put(path: Path, data: bytes) -> None:
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(partial).replace(path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m eval.similarity", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("generated", type=Path)
    parser.add_argument("real", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="a folder for tables and figures")
    parser.add_argument("--random", type=Path, help="questions on anything else, one a line (default: 80 of ours)")
    parser.add_argument("--model", type=Path, help="a folder in the Hugging Face format; default: SmolLM2's")
    parser.add_argument("--embedder", choices=list(RECIPES), default=MINILM)
    parser.add_argument("--embedder-path", default="", help="the folder of an embedder that is not minilm")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resamples", type=int, default=500)
    return parser.parse_args(words)


if __name__ == "__main__":
    raise SystemExit(main())
