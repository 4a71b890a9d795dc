"""The tasks by topic."""

import tomllib

from data.tasks.reading import TASKS, list_tasks
from data.tasks.topics import OTHER, group_tasks


def test_each_task_with_scribe_stands_in_one_topic_by_name() -> None:
    topics = group_tasks(list_tasks())
    listed = [name for topic in topics for name in topic.tasks]
    assert sorted(listed) == list_tasks()
    assert OTHER not in [topic.id for topic in topics]
    assert all(topic.title_in("en") != topic.title_in("fr") for topic in topics)


def test_no_topic_names_a_task_that_is_not_there() -> None:
    entries = tomllib.loads((TASKS / "topics.toml").read_text(encoding="utf-8"))
    assert {name for entry in entries.values() for name in entry["tasks"]} <= set(list_tasks())


def test_a_teachers_own_task_comes_last_and_empty_topics_are_left_out() -> None:
    topics = group_tasks(["my-own", "loan-desk"])
    assert [(topic.id, topic.tasks) for topic in topics] == [("state", ("loan-desk",)), (OTHER, ("my-own",))]
