"""The white canvas that every picture is drawn on: inches from its upper left corner, our type, our colours."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch
from matplotlib.textpath import TextToPath

PAPER, INK, SOFT, LINE, FAINT = "#ffffff", "#1f2937", "#52606f", "#d5dce5", "#f4f6f9"
POINTS = 72.0
LEADING = 1.32
"""Height of a line of text as a multiple of its size."""

Weight = Literal["normal", "bold"]
Align = Literal["left", "center", "right"]

_SETTINGS: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib, so every machine has it
    "svg.fonttype": "path",
    "svg.hashsalt": "scribe",  # else the ids inside an SVG are random
    "pdf.fonttype": 42,
    "text.parse_math": False,  # a "$" in a topic is a dollar
    "path.simplify": True,
}
_TURN = threading.RLock()


@contextmanager
def drawing_style() -> Iterator[None]:
    """Put our settings in force for a while. Threads take turns, since matplotlib's settings are shared."""
    with _TURN, matplotlib.rc_context(_SETTINGS):
        yield


@dataclass(frozen=True, slots=True)
class Canvas:
    """A figure with one pair of axes over all of it; x and y in inches, y grows downwards, text sizes in points."""

    width: float
    height: float
    figure: Figure
    axes: Axes

    @classmethod
    def blank(cls, width: float, height: float) -> "Canvas":
        """A white canvas; the axes have neither ticks nor frame."""
        figure = Figure(figsize=(width, height), facecolor=PAPER)
        FigureCanvasAgg(figure)
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0), xlim=(0.0, width), ylim=(height, 0.0))
        axes.set_axis_off()
        return cls(width, height, figure, axes)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 8.0,
        color: str = INK,
        weight: Weight = "normal",
        align: Align = "left",
    ) -> None:
        """One line of text, its middle at height y."""
        # The middle of small letters, not of the ink: else a line with a "g" would stand higher than one without.
        baseline = y + 0.36 * size / POINTS
        self.axes.text(
            x, baseline, words, fontsize=size, color=color, fontweight=weight, ha=align, va="baseline", zorder=5
        )

    def lines(self, x: float, y: float, lines: tuple[str, ...], size: float = 8.0, **look: Any) -> float:
        """Lines of text below one another, centred on height y; returns their height together."""
        step = size * LEADING / POINTS
        first = y - step * (len(lines) - 1) / 2
        for number, line in enumerate(lines):
            self.text(x, first + number * step, line, size, **look)
        return step * len(lines)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str,
        edge: str = "none",
        line: float = 0.8,
        round_by: float = 0.05,
    ) -> None:
        """A box with round corners; x and y are its upper left corner."""
        look: dict[str, Any] = {"facecolor": fill, "edgecolor": edge, "linewidth": line, "zorder": 3}
        style = f"round,pad=0,rounding_size={round_by}"
        self.axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle=style, **look))

    def rule(self, x: float, y: float, to: float, color: str = LINE) -> None:
        """A thin line across."""
        self.axes.plot([x, to], [y, y], color=color, linewidth=0.8, zorder=1)


@cache
def measure_width(words: str, size: float, weight: Weight = "normal") -> float:
    """The width of a line of text in inches."""
    with drawing_style():
        font = FontProperties(family="DejaVu Sans", size=size, weight=weight)
        width, _, _ = TextToPath().get_text_width_height_descent(words, font, False)
    return float(width) / POINTS


def wrap_text(words: str, width: float, size: float, weight: Weight = "normal") -> tuple[str, ...]:
    """A text as lines of at most so many inches; a single word that is wider is divided with a hyphen."""
    lines = [""]
    for part in (part for word in words.split() for part in _hyphenate(word, width, size, weight)):
        longer = f"{lines[-1]} {part}".lstrip()
        if measure_width(longer, size, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(part)
    return tuple(line for line in lines if line)


def _hyphenate(word: str, width: float, size: float, weight: Weight) -> list[str]:
    pieces = []
    while len(word) > 3 and measure_width(word, size, weight) > width:
        fits = [at for at in range(2, len(word) - 1) if measure_width(f"{word[:at]}-", size, weight) <= width]
        at = max(fits, default=2)
        pieces.append(f"{word[:at]}-")
        word = word[at:]
    return [*pieces, word]


def mix_colours(light: str, dark: str, share: float) -> str:
    """The colour that lies `share` (0 to 1) of the way from one to the other."""
    pairs = zip(to_rgb(light), to_rgb(dark), strict=True)
    first, second, third = (low + (high - low) * share for low, high in pairs)
    return to_hex((first, second, third))


def contrast_ratio(one: str, other: str) -> float:
    """How well two colours are told apart, 1 to 21, as WCAG 2 defines it (relative luminance)."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def choose_ink(fill: str) -> str:
    """Black or white, whichever is read best on this ground; at least 4.5 to 1 on any."""
    return max(("#000000", PAPER), key=lambda color: contrast_ratio(color, fill))


def _luminance(color: str) -> float:
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
