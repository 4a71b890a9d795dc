"""Whether what finished answers name stands in their report or in what tools said: the guard's check, done again.

The same check holds answers back while they are made, so a share below 1 says that an answer was made without it, by
an older version of it, or with a course that has changed since.
"""

from pathlib import Path

from data.bundle import COURSES, find
from data.catalogue import load_catalogue
from data.course import BundleError
from eval.tool_use.answered import Answered
from scribe.errors import ScribeError
from scribe.grounding import Grounding
from scribe.trajectory import Trajectory
from tools.conversation.lexicon import make_lexicon


class Grounded:
    """The check for any course in a folder of bundles; each is loaded once."""

    def __init__(self, courses: Path = COURSES) -> None:
        self._courses = courses
        self._checks: dict[str, Grounding | None] = {}

    def __call__(self, row: Answered) -> tuple[str, ...] | None:
        """What of the answer nothing supports; None if there is no answer, or its course is not here."""
        check = self._check(row.course) if row.record.answer else None
        if check is None:
            return None
        before = row.record.trajectory
        without = Trajectory(before.task, before.steps[:-1])
        return tuple(check(without, row.record.answer or ""))

    def _check(self, name: str) -> Grounding | None:
        if name not in self._checks:
            self._checks[name] = self._loaded(name)
        return self._checks[name]

    def _loaded(self, name: str) -> Grounding | None:
        try:
            return Grounding(make_lexicon(find(name, self._courses), load_catalogue()))
        except (ScribeError, BundleError):
            return None  # a course that is gone leaves its answers unchecked, and the table says how many
