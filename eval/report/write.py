"""A report as files: `index.html`, the same as `csv/*.csv` and `png/*.png`, and `files.json`, which lists them."""

import json
import os
import re
import tempfile
from pathlib import Path

from eval.report.page import page
from eval.report.results import Results
from scribe.errors import UsageError

LIST = "files.json"
_OURS = re.compile(r"(csv|png)/\w+\.\1")


def write(results: Results, out: Path) -> Path:
    """Write the report into a folder and return its page; each file appears whole or not at all, the page last.

    Files of an earlier report that this one does not have are taken away. Raises UsageError if it cannot be written.
    """
    files = {f"csv/{table.id}.csv": table.csv().encode("utf-8", "replace") for table in results.tables}
    files |= {f"png/{chart.id}.png": chart.png for chart in results.charts}
    try:
        for name, content in {**files, "index.html": page(results).encode("utf-8", "replace")}.items():
            _put(out / name, content)
        _clear(out, set(files))
        _put(out / LIST, json.dumps(sorted(files), indent=1).encode())
    except OSError as error:
        raise UsageError(f"the report cannot be written to {out}: {error.strerror}; give another --out") from error
    return out / "index.html"


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, partial = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(partial).chmod(0o600)  # students' questions and answers are in it
        Path(partial).replace(path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def _clear(out: Path, kept: set[str]) -> None:
    """Take away what an earlier report wrote here and this one did not; nobody else's files."""
    try:
        earlier = json.loads((out / LIST).read_bytes())
    except (OSError, ValueError):
        return
    for name in earlier if isinstance(earlier, list) else ():
        if isinstance(name, str) and _OURS.fullmatch(name) and name not in kept:
            (out / name).unlink(missing_ok=True)
