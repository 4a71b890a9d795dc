"""Lines of JSON as rows of a table, without losing the rows when one line is bad."""

import io
import json

import polars as pl


def decoded(texts: pl.Series, schema: pl.Schema, absent: str) -> pl.DataFrame:
    """JSON objects as rows of the schema and `reason`: null, or why a text could not be read.

    A field that is absent or of another type is null; an object where text is expected is its JSON. The
    reason for null is `absent`.
    """
    plain = texts.str.replace_all("\n", " ", literal=True).str.strip_chars()
    text = pl.col("text")
    refused = pl.DataFrame({"text": plain}).select(
        reason=pl.when(text.is_null())
        .then(pl.lit(absent))
        .when(~text.str.starts_with("{"))
        .then(pl.lit("is not a JSON object"))
        .when(~text.str.ends_with("}"))
        .then(pl.lit("is cut short: the JSON object does not end"))
    )["reason"]
    # An empty object in the place of what is none keeps every text on a line of its own.
    rows = _objects(plain.set(refused.is_not_null(), "{}"), schema)
    # In one chunk, because polars 2.1 panics where `pl.format` meets a column in several.
    return rows.with_columns(reason=refused.fill_null(rows["reason"])).rechunk()


def _objects(texts: pl.Series, schema: pl.Schema) -> pl.DataFrame:
    """The same; polars refuses a whole block for one bad line, which halving the block finds."""
    rows: pl.DataFrame | None
    try:
        lines = (texts.str.join("\n").item() or "").encode()
        rows = pl.read_ndjson(io.BytesIO(lines), schema=schema, ignore_errors=True) if lines else schema.to_frame()
    except pl.exceptions.ComputeError:
        rows = None
    if rows is not None and rows.height == len(texts):
        return rows.with_columns(reason=pl.lit(None, pl.String))
    if len(texts) == 1:
        return pl.DataFrame([dict.fromkeys(schema)], schema=schema).with_columns(reason=pl.lit(_why(texts[0])))
    half = len(texts) // 2
    return pl.concat([_objects(texts[:half], schema), _objects(texts[half:], schema)])


def _why(text: str) -> str:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return f"is not JSON: {error.msg} at column {error.colno}"
    except RecursionError:
        return "is not JSON we can read: it is nested too deeply"
    return "is not strict JSON: it holds NaN or a number out of range"
