"""Show a row in the terminal, coloured by what each stage learns of it.

python -m finetune.lora.show examples.parquet --base MODEL --row 3
"""

import argparse
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.text import Text
from tokenizers import Tokenizer

from finetune.lora import store
from finetune.lora.examples import TOKENIZER
from finetune.lora.rows import CONTEXT, FIRST, LATER, QUOTED, RESULT, Row
from scribe.errors import ScribeError, UsageError

STYLES = {CONTEXT: "dim", FIRST: "bold green", LATER: "bold yellow"}
NAMES = {CONTEXT: "read only", FIRST: "learned in the first stage", LATER: "learned in the second stage"}


def turns(row: Row) -> NDArray[np.int8]:
    """For each id (T,) what is learned of it and when: a quote is of its turn, a result is only read."""
    return np.where(row.parts == RESULT, CONTEXT, row.parts & ~QUOTED)


def pieces(row: Row, tokenizer: Tokenizer) -> Iterator[tuple[int, str]]:
    """The row's text in order, in pieces of one part each."""
    for part, members in groupby(zip(turns(row).tolist(), row.ids.tolist(), strict=True), key=lambda pair: pair[0]):
        yield part, tokenizer.decode([number for _, number in members], skip_special_tokens=False)


def coloured(row: Row, tokenizer: Tokenizer) -> Text:
    """The row's text, with a style for each part."""
    return Text.assemble(*((text, STYLES[part]) for part, text in pieces(row, tokenizer)))


def legend(row: Row) -> Text:
    """What the colours mean and how many ids have each."""
    told = (f"{NAMES[part]}: {int((turns(row) == part).sum())} ids" for part in NAMES)
    return Text(f"{row.id}  ").append_text(Text(", ").join(Text(text, STYLES[p]) for p, text in enumerate(told)))


def pick(rows: list[Row], wanted: str) -> Row:
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
        row = pick(store.read(given.examples), given.row)
    except ScribeError as error:
        parser.exit(2, f"{error}\n")
    console = Console(highlight=False, soft_wrap=True)
    console.print(coloured(row, Tokenizer.from_file(str(given.base / TOKENIZER))))
    console.print(legend(row))


if __name__ == "__main__":
    main()
