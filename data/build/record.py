"""quality.json: how good a bundle's predictor is, and what the bundle was built from."""

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from data.build.learning import Lesson
from data.build.logs import LogCounts
from data.build.staging import QUALITY
from data.predictor.quality import Quality

PACKAGES = ("numpy", "polars", "pyarrow", "torch")


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of a build; no time and no path, so that the same build writes the same bytes."""

    course: str
    weeks: int
    lesson: Lesson
    features: tuple[str, ...]
    quality: Quality
    students: int
    predicted_to_pass: int
    explained: int
    logs: Mapping[str, LogCounts]
    skipped_rows: int
    reports: Mapping[str, int]

    def as_json(self) -> dict[str, Any]:
        """Plain values: at the top the cross-validated models (see `Quality.as_json`), then what they were used for."""
        return {
            "course": self.course,
            **self.quality.as_json(),
            "weeks": self.weeks,
            "lesson": asdict(self.lesson),
            "features": list(self.features),
            "current": {
                "students": self.students,
                "predicted_to_pass": self.predicted_to_pass,
                "explained": self.explained,
                "reports": dict(self.reports),
            },
            "logs": {run: asdict(counts) for run, counts in self.logs.items()},
            "skipped_rows": self.skipped_rows,
            "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
        }


def write_record(folder: Path, record: Record) -> None:
    """Write quality.json."""
    text = json.dumps(record.as_json(), indent=1, ensure_ascii=False)
    (folder / QUALITY).write_text(f"{text}\n", encoding="utf-8")
