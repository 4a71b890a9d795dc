"""Show a row in the terminal, coloured by what each stage learns of it.

python -m finetune.examples.show examples.parquet --base MODEL --row 3
"""

import argparse
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text
from tokenizers import Tokenizer

from finetune.examples.rows import CONTEXT, FIRST, LATER, QUOTED, RESULT, TokenRow, read_rows
from scribe.errors import ScribeError, UsageError

STYLES = {CONTEXT: "dim", FIRST: "bold green", LATER: "bold yellow"}
NAMES = {CONTEXT: "read only", FIRST: "learned in the first stage", LATER: "learned in the second stage"}


def format_row(row: TokenRow, tokenizer: Tokenizer) -> Text:
    """The row's text in the colours of its parts, and what they mean: a quote is of its turn, a result only read."""
    turns = np.where(row.parts == RESULT, CONTEXT, row.parts & ~QUOTED)
    text = Text()
    for part, members in groupby(zip(turns.tolist(), row.ids.tolist(), strict=True), key=lambda pair: pair[0]):
        text.append(tokenizer.decode([id for _, id in members], skip_special_tokens=False), STYLES[part])
    legend = [Text(f"{name}: {int((turns == part).sum())} ids", STYLES[part]) for part, name in NAMES.items()]
    return text.append(f"\n{row.id}  ").append_text(Text(", ").join(legend))


def find_row(rows: Sequence[TokenRow], wanted: str) -> TokenRow:
    """The row of this id or place, counted from 0. Raises UsageError if there is none."""
    by_id = {row.id: row for row in rows}
    if wanted in by_id:
        return by_id[wanted]
    if wanted.isdecimal() and int(wanted) < len(rows):
        return rows[int(wanted)]
    raise UsageError(f"there is no row {wanted}; name an id or a number from 0 to {len(rows) - 1}")


def main() -> None:
    """Print one row."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--base", type=Path, required=True, help="model folder whose tokenizer made the rows")
    parser.add_argument("--row", default="0", help="its id, or its place counted from 0")
    given = parser.parse_args()
    try:
        row = find_row(read_rows(given.examples), given.row)
    except ScribeError as error:
        parser.exit(2, f"{error}\n")
    tokenizer = Tokenizer.from_file(str(given.base / "tokenizer.json"))
    Console(highlight=False, soft_wrap=True).print(format_row(row, tokenizer))


if __name__ == "__main__":
    main()
