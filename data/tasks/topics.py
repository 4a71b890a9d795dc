"""The tasks by topic, as people choose from them; what stands in no topic is listed last."""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from data.tasks.format import Language

OTHER = "other"
_FILE = Path(__file__).with_name("topics.toml")


@dataclass(frozen=True, slots=True)
class TaskTopic:
    """A heading in two languages, and the ids of the tasks under it."""

    id: str
    title: str
    title_fr: str
    tasks: tuple[str, ...]

    def title_in(self, language: Language) -> str:
        """The heading."""
        return self.title_fr if language == "fr" else self.title


def group_tasks(names: Iterable[str]) -> tuple[TaskTopic, ...]:
    """The topics with those of these tasks that they have, without empty ones; each task stands once."""
    left = dict.fromkeys(names)
    topics = []
    for id, entry in tomllib.loads(_FILE.read_text(encoding="utf-8")).items():
        listed = list(left) if id == OTHER else [name for name in entry["tasks"] if name in left]
        topics.append(TaskTopic(id, entry["title"], entry["title_fr"], tuple(listed)))
        for name in listed:
            del left[name]
    return tuple(topic for topic in topics if topic.tasks)
