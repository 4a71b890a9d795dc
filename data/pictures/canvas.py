"""The white canvas that pictures are drawn on, our type and colours, and the file that a picture becomes."""

import io
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Patch

from data.course import BundleError
from scribe.plumbing.files import write_bytes

PAPER, INK, SOFT, LINE, FAINT = "#ffffff", "#1f2937", "#52606f", "#d5dce5", "#f4f6f9"
POINTS = 72.0
MARGIN, HEAD = 0.15, 0.7  # Inches left free at the sides, and taken by the title

_SETTINGS: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so every machine has it
    "svg.fonttype": "path",
    "svg.hashsalt": "scribe",  # else the ids inside an SVG are random
    "pdf.fonttype": 42,
    "text.parse_math": False,  # a "$" in a topic is a dollar
}
_TURN = threading.RLock()
# Dates and the names of programs would make every file another one.
_METADATA: dict[str, dict[str, Any]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
DOTS = 200.0  # Dots per inch of a PNG


class PictureError(BundleError):
    """A picture cannot be kept under this name, or be drawn of what there is."""


@contextmanager
def drawing_style() -> Iterator[None]:
    """Put our settings in force for a while. Threads take turns, since matplotlib's settings are shared."""
    with _TURN, matplotlib.rc_context(_SETTINGS):
        yield


class Canvas:
    """A figure with one pair of axes over all of it; x and y in inches, y grows downwards, text sizes in points."""

    def __init__(self, width: float, height: float, title: str, subtitle: str) -> None:
        self.figure = Figure(figsize=(width, height), facecolor=PAPER)
        self.axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0.0, width), ylim=(height, 0.0))
        self.axes.set_axis_off()
        self.text(MARGIN, 0.25, title, 12.5, fontweight="bold")
        self.text(MARGIN, 0.5, subtitle, shrink_text(subtitle, width - 2 * MARGIN, 8.0), SOFT)

    def text(self, x: float, y: float, words: str, size: float = 8.0, color: str = INK, **look: Any) -> None:
        """One or several lines of text, their middle at height y."""
        look = {"va": "center", "zorder": 5, "linespacing": 1.1, **look}
        self.axes.text(x, y, words, fontsize=size, color=color, **look)

    def box(self, x: float, y: float, width: float, height: float, fill: str, edge: str = "none") -> None:
        """A box with round corners; x and y are its upper left corner."""
        look: dict[str, Any] = {"facecolor": fill, "edgecolor": edge, "linewidth": 0.8, "zorder": 3}
        corners = "round,pad=0,rounding_size=0.05"
        self.axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=corners, **look))

    def legend(self, y: float, fills: Mapping[str, str]) -> None:
        """What each colour means, in one line at height y."""
        self.axes.legend(
            handles=[Patch(facecolor=fill, edgecolor=LINE, label=words) for words, fill in fills.items()],
            loc="center left",
            bbox_to_anchor=(MARGIN, y),
            bbox_transform=self.axes.transData,
            ncols=len(fills),
            frameon=False,
            fontsize=7.5,
            borderpad=0,
            borderaxespad=0,
        )


def shrink_text(words: str, width: float, size: float) -> float:
    """The size at which a line takes no more than a width in inches; letters take 0.68 of their size at most."""
    return min(size, width * POINTS / (0.68 * len(words)))


def choose_ink(fill: str) -> str:
    """Black or white, whichever is read best: at a relative luminance (WCAG 2) of 0.179 both are read equally well."""
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(fill))
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return PAPER if luminance < 0.179 else "#000000"


def choose_format(path: Path) -> str:
    """The format that a path's ending asks for. Raises PictureError with the valid ones."""
    kind = path.suffix.lower().removeprefix(".")
    if kind not in _METADATA:
        ending = f"the ending {path.suffix!r}" if path.suffix else "a name without an ending"
        raise PictureError(f"{path}: no picture is kept under {ending}; use .png, .svg or .pdf")
    return kind


def render_picture(figure: Figure, kind: str) -> bytes:
    """The picture as a file of format "png", "svg" or "pdf"; the same bytes for the same picture."""
    content = io.BytesIO()
    with drawing_style():
        figure.savefig(content, format=kind, dpi=DOTS, metadata=_METADATA[kind])
    return content.getvalue()


def save_picture(figure: Figure, path: Path) -> None:
    """Write the picture in the format of the ending, .png, .svg or .pdf. Raises PictureError if that fails."""
    if not path.parent.is_dir():
        raise PictureError(f"{path} cannot be written: No such file or directory")
    content = render_picture(figure, choose_format(path))
    try:
        write_bytes(path, content)
    except OSError as error:
        raise PictureError(f"{path} cannot be written: {error.strerror}") from error
