"""Keeps a picture as a file of one of three formats: the same bytes for the same picture, whole or not at all."""

import io
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from data.course import BundleError
from data.pictures.canvas import drawing_style
from scribe.plumbing.files import write_bytes

# Dates and the names of programs would make every file another one.
_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
DOTS = 200.0
"""Dots per inch of a PNG."""


class PictureError(BundleError):
    """A picture cannot be kept under this name, or be drawn of what there is."""


def choose_format(path: Path) -> str:
    """The format that a path's ending asks for. Raises PictureError with the valid ones."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in _METADATA:
        ending = f"the ending {path.suffix!r}" if path.suffix else "a name without an ending"
        raise PictureError(f"{path}: no picture is kept under {ending}; use .png, .svg or .pdf")
    return kind


def render_picture(figure: Figure, kind: str) -> bytes:
    """The picture as a file of format "png", "svg" or "pdf" holds it."""
    content = io.BytesIO()
    with drawing_style():
        figure.savefig(content, format=kind, dpi=DOTS, metadata=_METADATA[kind], facecolor=figure.get_facecolor())
    return content.getvalue()


def save_picture(figure: Figure, path: Path) -> None:
    """Write the picture in the format of the path's ending: .png, .svg or .pdf.

    Raises PictureError for another ending or a path that cannot be written to.
    """
    if not path.parent.is_dir():
        raise PictureError(f"{path} cannot be written: No such file or directory")
    content = render_picture(figure, choose_format(path))
    try:
        write_bytes(path, content)
    except OSError as error:
        raise PictureError(f"{path} cannot be written: {error.strerror}") from error
