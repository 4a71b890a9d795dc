"""Rows of questions and classrooms for the tests of whoever answers them."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from data.course import Course
from finetune.questions.row import Meant, Row
from finetune.trajectories.classroom import Classroom
from finetune.trajectories.settings import TrajectorySettings
from tests.tools.small_course import ScriptedEmbedder
from tools.search.vault import Vault


def row(id: str, intent: str, text: str = "What now?", course: str = "dsp", **slots: str | int) -> Row:
    """One question of a student of the course about the first kind of report."""
    return Row(id, course, "s190", "nr", text, "how", "offline", intent=intent, slots=slots, wording=text)


def meant(intent: str, text: str, **slots: str | int) -> Meant:
    """A part of a question, or the question before."""
    return Meant(intent, text, slots, text)


def scripted_rooms(found: Mapping[str, Course], settings: TrajectorySettings, scratch: Path) -> Mapping[str, Classroom]:
    """Real courses and tools; texts are compared by their words, which takes no model, and there are no hints."""
    vault = Vault(ScriptedEmbedder(), Path(tempfile.gettempdir()) / "scribe-test-vectors")
    return {name: Classroom(course, vault, lambda *_: "") for name, course in found.items()}
