"""The same questions asked as several students: what is right for one student may be wrong for the next."""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from scribe.errors import UsageError

BETWEEN = "@"
"""`q07@s030` is the question q07 asked as s030."""


def spread(path: Path, students_of: Callable[[str], Sequence[str]], count: int, seed: int = 0) -> Iterator[str]:
    """Each line of a questions file `count` times, as JSON lines with other students of the same course.

    Which students is drawn anew for each question; the same seed draws the same. Everything else of a line stays.
    Raises UsageError naming file and line.
    """
    for number, line in enumerate(_lines(path), start=1):
        if not line.strip():
            continue
        asked = _asked(line, f"{path}:{number}")
        students = sorted(students_of(asked["course"]))
        if count > len(students):
            raise UsageError(f"{path}:{number}: {asked['course']} has {len(students)} students, not {count}")
        for student in random.Random(f"{seed} {asked['id']}").sample(students, count):
            own = {**asked, "id": f"{asked['id']}{BETWEEN}{student}", "student": student}
            yield json.dumps(own, ensure_ascii=False)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the questions {path} cannot be read: {error}") from error


def _asked(line: str, where: str) -> dict[str, Any]:
    try:
        asked = json.loads(line)
        if isinstance(asked, dict) and all(isinstance(asked.get(name), str) for name in ("id", "course")):
            return asked
    except ValueError:
        pass
    raise UsageError(f'{where}: a question for several students is a line {{"id", "course", "question", …}}')
