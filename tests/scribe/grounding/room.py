"""A course of four weeks with three behaviours, and what its tools said of one student."""

import json
from dataclasses import replace
from typing import Any

from scribe.grounding import Grounding, Lexicon
from scribe.trajectory import Act, Call, Exchange, Observation, Trajectory
from tests.scribe.scene import task

LEXICON = Lexicon(
    features=(
        ("time on videos", "TotalTimeVideo", "temps passé sur les vidéos"),
        ("delay before watching lectures", "DelayLecture", "délai avant de regarder les vidéos"),
        ("quiz score per attempt", "CompetencyStrength", "résultat aux quiz par essai"),
    ),
    topics=(("Ideal filters", "Filtres idéaux"), ("Sampling",), ("Aliasing",), ("Vector spaces",)),
    weeks=4,
    outside=frozenset({"web_search"}),
    less_is_better=frozenset({"delay before watching lectures"}),
)
CHECK = Grounding(LEXICON)
REPORT = (
    "You are on track. In week 2 your time on videos was 30 minutes, compared with 45 minutes for a typical student."
)
RANKED = {
    "week": 3,
    "predicted": "pass",
    "counted_for": [
        {"behaviour": "quiz score per attempt", "yours": "80 percent", "median": "60 percent", "influence": 2.1},
        {"behaviour": "time on videos", "yours": "90 minutes", "median": "50 minutes", "influence": 0.4},
    ],
    "counted_against": [
        {"behaviour": "delay before watching lectures", "yours": "70 hours", "median": "20 hours", "influence": 0.0}
    ],
}
GRADES = {
    "earned": "20 percent", "graded_so_far": "39 percent", "still_open": "61 percent", "pass_mark": "60 percent",
    "status": "pass still possible", "missing": "40 percent", "average_needed_in_open_work": "66 percent",
    "points": {"Homework of week 2": "11 of 20", "Homework of week 3": "14.5 of 20", "Midterm exam": "17.5 of 40"},
    "to_come": {"final": "35 percent"},
}  # fmt: skip
PLAN = {"week": 4, "topics": ["Sampling", "Aliasing"], "quizzes": 2}
NEEDS = {
    "week": 4,
    "needs": [
        {"topic": "Vector spaces", "week": 1, "for": "Sampling"},
        {"topic": "Ideal filters", "week": 3, "for": "Aliasing"},
    ],
}


def complaints(answer: str, *results: dict[str, Any], **more: Any) -> list[str]:
    """What the check says of an answer after these results, or after all of the room."""
    told = results or (RANKED, GRADES, PLAN, NEEDS)
    start = Trajectory(replace(task("How was I?", REPORT), about="DSP has weeks 1 to 4.", **more))
    calls = tuple(Call("f") for _ in told)
    return list(CHECK(start.then(Act("", calls, tuple(Observation(True, json.dumps(each)) for each in told))), answer))


__all__ = ["CHECK", "LEXICON", "Exchange", "complaints"]
