"""A course of three weeks and three students, right in every file."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

HEAD = """
id = "mini"
title = "Mini Course"
aliases = ["mini_001", "the small one"]
language = "en"
weeks = 3
weeks_done = 2
pass_mark = 60
summary = "Three short weeks."
grading = [
    { id = "quiz-1", title = "Quiz of week 1", week = 1, weight = 40, max_points = 10 },
    { id = "final", title = "Final exam", week = 4, weight = 60, max_points = 100 },
]
"""

TOPICS = """
[[weeks]]
number = 1
title = "Start"
topics = ["Signals", "Sequences"]
quizzes = 2

[[weeks]]
number = 2
title = "Middle"
topics = ["Vectors"]
quizzes = 0

[[weeks]]
number = 3
title = "End"
topics = ["Filters"]
quizzes = 1

[[prerequisites]]
topic = "Vectors"
needs = "Sequences"
why = "vectors are short sequences"

[[prerequisites]]
topic = "Filters"
needs = "Vectors"
why = "a filter maps vectors to vectors"
"""

EXERCISES: list[dict[str, Any]] = [
    {"id": "e1", "week": 1, "topic": "Signals", "title": "One", "text": "Draw it.", "solution": "A line."},
    {"id": "e2", "week": 3, "topic": "Filters", "title": "Two", "text": "Filter it.", "solution": "Done."},
]

PREDICTIONS: list[dict[str, Any]] = [
    {"student": "s001", "predicted": "fail", "probability": 0.2, "explained": True},
    {"student": "s002", "predicted": "pass", "probability": 0.9, "explained": False},
    {"student": "s003", "predicted": "pass", "probability": 0.8, "explained": False},
]

BEHAVIOUR: list[dict[str, Any]] = [
    {"student": "s001", "week": 1, "feature": "NumberOfSessions", "value": 1.0},
    {"student": "s002", "week": 1, "feature": "NumberOfSessions", "value": 4.0},
    {"student": "s003", "week": 1, "feature": "NumberOfSessions", "value": 9.0},
    {"student": "s001", "week": 2, "feature": "DelayLecture", "value": None},
    {"student": "s002", "week": 2, "feature": "StudentShape", "value": 0.5},
]

IMPORTANCE: list[dict[str, Any]] = [
    {
        "student": "s001",
        "week": week,
        "feature": "NumberOfSessions",
        "importance": size,
        "direction": "increase",
        "flips_to": "pass",
        "target": 3.5,
    }
    for week, size in ((1, 0.1), (2, 0.4))
]

SUFFICIENT: list[dict[str, Any]] = [{"student": "s001", "week": 1, "feature": "NumberOfSessions"}]

GRADES: list[dict[str, Any]] = [
    {"student": "s001", "item": "quiz-1", "score": 7.5, "max": 10.0, "weight": 40.0},
    {"student": "s001", "item": "final", "score": None, "max": 100.0, "weight": 60.0},
]


def write_table(path: Path, rows: list[dict[str, Any]]) -> None:
    pq.write_table(pa.Table.from_pylist(rows), path)


def write_mini(folder: Path) -> Path:
    """Write the bundle; the folder must be called "mini"."""
    for name in ("textbook", "reports"):
        (folder / name).mkdir(parents=True)
    (folder / "course.toml").write_text(HEAD)
    (folder / "topics.toml").write_text(TOPICS)
    (folder / "syllabus.md").write_text("# Rules\n\n## Pass mark\n\n60 percent.\n\n## Exam\n\nIn week 4.\n")
    (folder / "textbook" / "01.md").write_text("# Week 1\n\n## 1.1 Signals: a start\n\nText.\n\n```\n## code\n```\n")
    (folder / "textbook" / "03.md").write_text("## 3.1 Filters\n\nMore text.\n")
    (folder / "exercises.jsonl").write_text("\n".join(json.dumps(each) for each in EXERCISES) + "\n")
    write_table(folder / "predictions.parquet", PREDICTIONS)
    write_table(folder / "students.parquet", BEHAVIOUR)
    write_table(folder / "importance.parquet", IMPORTANCE)
    write_table(folder / "sufficient.parquet", SUFFICIENT)
    write_table(folder / "grades.parquet", GRADES)
    (folder / "reports" / "s001.nr.md").write_text("Your sessions were few.\n")
    return folder
