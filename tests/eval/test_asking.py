"""Measuring asks as serving does."""

import json
from pathlib import Path

import pytest

from eval.asking import Asking, Written, read
from scribe.backend import ScriptedBackend
from scribe.errors import UsageError
from scribe.trajectory import Exchange, Trajectory
from tools.assembly.assistant import assemble, find_course
from tools.assembly.settings import AssistantSettings

ANSWER = " I know. [END_OF_REASONING]\n[FINAL_ANSWER]That is all.[END_OF_FINAL_ANSWER]"


def test_the_prompt_of_a_measured_question_is_that_of_the_chat() -> None:
    earlier = (Exchange("what is in week 3?", "Vectors."),)
    asked = Written("q", "dsp", "s033", "ac", "and week 4?", (), "course", earlier)
    measured, served = ScriptedBackend((ANSWER,)), ScriptedBackend((ANSWER,))
    Asking(measured, by_heart=True).answer(asked)
    assistant = assemble(AssistantSettings(), find_course(AssistantSettings(), "dsp"), served)
    assistant.agent("s033").run(Trajectory(assistant.task("s033", asked.question, "ac", earlier)))
    assert measured.prompts == served.prompts != []


def test_a_line_that_is_no_question_is_named(tmp_path: Path) -> None:
    path = tmp_path / "asked.jsonl"
    good = {"id": "1", "course": "dsp", "student": "s1", "theory": "nr", "question": "?", "tools": [], "category": "c"}
    path.write_text(json.dumps(good) + "\n" + json.dumps(good | {"tools": 3}) + "\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"asked\.jsonl:2: tools"):
        read(path)
