"""Rows on disk: a parquet file with one row group for all, read back whole."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from finetune.lora.rows import Row
from finetune.whole import written
from scribe.errors import RecordError

_SCHEMA = pa.schema(
    [("id", pa.string()), ("opening", pa.int32()), ("ids", pa.list_(pa.int32())), ("parts", pa.list_(pa.int8()))]
)


def write(path: Path, rows: Sequence[Row]) -> None:
    """Write the rows whole or not at all."""
    columns = {
        "id": [row.id for row in rows],
        "opening": [row.opening for row in rows],
        "ids": [row.ids for row in rows],
        "parts": [row.parts for row in rows],
    }
    with written(path) as partial:
        pq.write_table(pa.table(columns, schema=_SCHEMA), partial, compression="zstd")


def read(path: Path) -> list[Row]:
    """The rows of a file. Raises RecordError if they cannot be read or an entry does not fit together."""
    try:
        table = pq.read_table(path, schema=_SCHEMA)
    except (OSError, pa.ArrowException) as error:
        raise RecordError(f"{path}: not a file of examples ({error}); make it with finetune.lora.examples") from error
    columns = [table[name].to_numpy(zero_copy_only=False) for name in ("id", "opening", "ids", "parts")]
    rows = [Row(id, ids, parts, int(opening)) for id, opening, ids, parts in zip(*columns, strict=True)]
    for number, row in enumerate(rows, start=1):
        if len(row.ids) != len(row.parts) or not 0 < row.opening <= len(row.ids) or np.any(row.ids < 0):
            raise RecordError(f"{path}:{number}: row {row.id} has {len(row.ids)} ids and {len(row.parts)} parts")
    return rows
