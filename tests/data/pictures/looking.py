"""Looking at a drawn figure: which words are on it, where they stand, and whether they can be read."""

import itertools
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

import data
from data.bundle import load_material
from data.course import Course
from data.pictures.canvas import drawing_style

PLACES = [Path(data.__file__).parent / name for name in ("courses",)]


def outlines() -> tuple[Course, ...]:
    """The courses that come with the package, without students."""
    return tuple(load_material(head.parent)[0] for place in PLACES for head in sorted(place.glob("*/course.toml")))


def texts(figure: Figure) -> list[str]:
    """All words on a picture."""
    return [text.get_text() for text in _texts(figure)]


def covered(figure: Figure) -> list[str]:
    """Words that stand on one another or leave the page."""
    with drawing_style():
        figure.draw_without_rendering()
        boxes = [(text.get_text(), _inner(text.get_window_extent())) for text in _texts(figure)]
    page = figure.bbox
    outside = [words for words, box in boxes if box.x0 < 0 or box.y0 < 0 or box.x1 > page.x1 or box.y1 > page.y1]
    pairs = itertools.combinations(boxes, 2)
    return outside + [f"{one} / {other}" for (one, a), (other, b) in pairs if a.overlaps(b)]


def _texts(figure: Figure) -> list[Text]:
    return [each for each in figure.findobj(Text) if isinstance(each, Text) and each.get_text() and each.get_visible()]


def _inner(box: Bbox) -> Bbox:
    """Without the edge, where letters of neighbouring lines may touch."""
    return Bbox.from_extents(box.x0 + 0.5, box.y0 + 1.5, box.x1 - 0.5, box.y1 - 1.5)
