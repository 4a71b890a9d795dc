"""The courses that records are about, each read once: the tools that their assistants had, and the check of answers."""

from collections.abc import Mapping
from functools import lru_cache

from data.course import Course
from scribe.grounding import Grounding
from scribe.records import Record
from tools.assembly.assistant import find_course, make_check, make_sample_toolbox
from tools.assembly.settings import AssistantSettings


class RecordedCourses:
    """The courses of the settings. All raise UsageError or BundleError where one is unknown or broken."""

    def __init__(self, settings: AssistantSettings) -> None:
        self._settings = settings
        self._course = lru_cache(None)(self._read_course)
        self._signatures = lru_cache(None)(self._list_signatures)
        self._check = lru_cache(None)(lambda name: make_check(self._course(name)))

    def signatures(self, record: Record) -> Mapping[str, str]:
        """The lines of the course's tools by name, which are the same for all its students."""
        return self._signatures(record.task.course)

    def check(self, record: Record) -> Grounding:
        """What holds an answer about the record's course against report and observations."""
        return self._check(record.task.course)

    def _read_course(self, name: str) -> Course:
        return find_course(self._settings, name)

    def _list_signatures(self, name: str) -> Mapping[str, str]:
        tools = make_sample_toolbox(self._settings, self._course(name)).tools
        return {tool.name: tool.signature for tool in tools}
