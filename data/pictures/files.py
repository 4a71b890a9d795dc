"""Keeping a picture: a file of one of three kinds, the same bytes for the same picture, whole or not at all."""

import contextlib
import io
import os
import tempfile
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from data.course import BundleError
from data.pictures.sheet import drawing

# Dates and the names of programs would make every file another one.
_NO_TRACE: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
DOTS = 200.0
"""Dots per inch of a PNG."""


class PictureError(BundleError):
    """A picture cannot be kept under this name, or be drawn of what there is."""


def kind_of(path: Path) -> str:
    """The kind of file that a path's ending asks for; raises PictureError with the valid ones."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in _NO_TRACE:
        ending = f"the ending {path.suffix!r}" if path.suffix else "a name without an ending"
        raise PictureError(f"{path}: no picture is kept under {ending}; use .png, .svg or .pdf")
    return kind


def as_bytes(figure: Figure, kind: str) -> bytes:
    """The picture as a file of kind "png", "svg" or "pdf" would hold it."""
    held = io.BytesIO()
    with drawing():
        figure.savefig(held, format=kind, dpi=DOTS, metadata=_NO_TRACE[kind], facecolor=figure.get_facecolor())
    return held.getvalue()


def save(figure: Figure, path: Path) -> None:
    """Write the picture; its kind follows the ending: .png, .svg or .pdf.

    An earlier file stays as it was until the new one is complete. Raises PictureError for another ending or a folder
    that cannot be written to.
    """
    content = as_bytes(figure, kind_of(path))
    try:
        _replace(path, content)
    except OSError as error:
        raise PictureError(f"{path} cannot be written: {error.strerror}") from error


def _replace(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        # mkstemp lets only the owner read; a picture is as readable as other new files.
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
