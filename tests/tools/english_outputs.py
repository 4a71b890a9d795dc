"""What all tools of the English courses say: many calls word by word, and of some students digests.

Written again, where English sentences are meant to change, by `python -m tests.tools.english_outputs`.
"""

import hashlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from data.bundle import find
from data.catalogue import load_catalogue
from data.course import Course
from scribe.trajectory import Call
from tests.tools.small_course import ScriptedEmbedder
from tools.build import toolbox
from tools.search.vault import Vault

KEPT = Path(__file__).with_suffix(".json")
COURSES = ("dsp", "lnv")
WORD_BY_WORD = ("s001", "s057", "s123")
EVERY = 100
"""Of so many students one is looked at."""
WEEKLY = ("map_week_to_topic", "get_dependant_topics")
SEARCHED = ("get_course_syllabus", "textbook_search", "exercise_search", "impact_of_student_behaviors")
QUERIES = (
    "late homework", "final exam", "how many tries for a quiz", "study at fixed hours", "start early",
    "replay the videos", "more exercises on eigenvalues", "convolution", "exercises of week 3",
    "French revolution", "the weather", "",
)  # fmt: skip
NAMES = ("clicks", "NumberOfSesions", "reg_peak_dayhour", "regularity", "Control", "videos on time", "happiness", "?")


def calls(course: Course) -> Iterator[Call]:
    """Calls whose result is the same for every student."""
    for week in range(course.weeks + 2):
        yield from (Call(name, {"week": week}) for name in WEEKLY)
        yield Call("exercise_search", {"query": "exercises", "week": week})
        yield Call("exercise_search", {"query": course.topics[week], "week": week})
    for query in (*QUERIES, *course.topics[::8], *(section.title for section in course.syllabus)):
        yield from (Call(name, {"query": query}) for name in SEARCHED)
    features = load_catalogue().features
    for name in (*NAMES, *(feature.label for feature in features), *(feature.code for feature in features[::5])):
        yield Call("get_feature_description", {"feature": name})


def own(course: Course) -> Iterator[Call]:
    """Calls whose result depends on the student."""
    yield Call("grade_calculator")
    yield Call("sort_student_features_with_importance")
    for week in range(course.weeks_done + 2):
        yield Call("sort_student_features_with_importance", {"week": week})


def outputs(name: str) -> dict[str, str]:
    """Each call with its result, and for some students the digest of all results that are theirs."""
    course = find(name)
    told: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(ScriptedEmbedder(), Path(folder))
        for number, student in enumerate(course.students):
            if number % EVERY and student not in WORD_BY_WORD:
                continue
            box = toolbox(course, student, vault)
            if not number:
                told |= {_key(call): box.call(call).content for call in calls(course)}
            made = {f"{student} {_key(call)}": box.call(call).content for call in own(course)}
            told |= made if student in WORD_BY_WORD else {student: _digest(made)}
    return told


def _digest(made: dict[str, str]) -> str:
    return hashlib.sha256(json.dumps(made).encode()).hexdigest()[:16]


def _key(call: Call) -> str:
    return f"{call.name} {json.dumps(dict(call.arguments))}"


def main() -> None:
    """Keep what the tools say now."""
    kept = {name: outputs(name) for name in COURSES}
    KEPT.write_text(json.dumps(kept, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
