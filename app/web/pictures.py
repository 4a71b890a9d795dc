"""The page's pictures: drawn when they are first looked at, then kept, each for one student or one week."""

import base64
from collections.abc import Callable
from functools import lru_cache
from html import escape
from typing import Any

from data.course import Course

KEPT = 64
"""Pictures of each kind that are kept; one takes about 150 kB."""


class Pictures:
    """The pictures of one course as HTML. Safe to share among threads.

    importance: what weighs in the expected result of the student of this id. topics: how the topics build on each
    other, or what one week builds on; raises BundleError for no such week.
    """

    def __init__(self, course: Course) -> None:
        self._course = course
        self.importance: Callable[[str], str] = lru_cache(KEPT)(self._draw_importance)
        self.topics: Callable[[int | None], str] = lru_cache(KEPT)(self._draw_topics)

    # matplotlib takes a second to import, which a page that nobody looks at pictures on does not need.

    def _draw_importance(self, student_id: str) -> str:
        from data.pictures.importance import describe_importance, draw_importance_map

        student = self._course.student(student_id)
        return _to_html(draw_importance_map(self._course, student), describe_importance(self._course, student))

    def _draw_topics(self, week: int | None) -> str:
        from data.pictures.topics import describe_topics, draw_topic_map

        return _to_html(draw_topic_map(self._course, week), describe_topics(self._course, week))


def _to_html(figure: Any, words: str) -> str:
    from data.pictures.canvas import render_picture

    # As an image, not as elements of the page: the ids inside two SVGs would clash, and an image has its words.
    svg = base64.b64encode(render_picture(figure, "svg")).decode("ascii")
    image = f'<img class="picture" alt="{escape(words)}" src="data:image/svg+xml;base64,{svg}">'
    # Focusable, so that the arrow keys move a picture that is wider than the page.
    return f'<div class="scrolled" tabindex="0" role="group" aria-label="Picture">{image}</div>'
