"""Compare two files of questions.

    python -m eval.similarity questions.jsonl eval/student_questions.jsonl --out DIR --model FOLDER

The first file is of generated questions, the second of real ones. DIR gets groups.csv, hotelling.csv, centres.csv,
tsne.csv and questions.csv; the first three are printed too.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from eval.similarity.comparison import compare_questions
from eval.similarity.questions import PerplexityModel, read_questions, read_random_questions
from eval.table import Table
from scribe.plumbing.errors import ScribeError, UsageError
from scribe.plumbing.files import write_bytes
from tools.embedding.embedders import MINILM, RECIPES, open_embedder


def main(words: Sequence[str] | None = None) -> int:
    """Compare, write, print; 2 if the files cannot be compared."""
    given = _parse_arguments(words)
    try:
        tables = compare_questions(
            read_questions(given.generated),
            read_questions(given.real),
            read_random_questions(given.random),
            PerplexityModel(given.model).perplexities,
            open_embedder(given.embedder, given.embedder_path).embed,
            given.seed,
            given.resamples,
        )
        write_tables(tables, given.out)
    except ScribeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print("\n\n".join(table.markdown() for table in tables[:3]))
    return 0


def write_tables(tables: Sequence[Table], out: Path) -> None:
    """Write the tables into a folder, each file whole or not at all. Raises UsageError if it cannot be."""
    try:
        for table in tables:
            write_bytes(out / f"{table.id}.csv", table.csv().encode("utf-8", "replace"))
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror}; give another --out") from error


def _parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m eval.similarity", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("generated", type=Path)
    parser.add_argument("real", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="a folder for the tables")
    parser.add_argument("--random", type=Path, help="questions on anything else, one a line (default: 80 of ours)")
    parser.add_argument("--model", type=Path, required=True, help="a model's folder in the Hugging Face format")
    parser.add_argument("--embedder", choices=list(RECIPES), default=MINILM)
    parser.add_argument("--embedder-path", default="", help="the folder of an embedder that is not minilm")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resamples", type=int, default=500)
    return parser.parse_args(words)


if __name__ == "__main__":
    raise SystemExit(main())
