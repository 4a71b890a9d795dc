"""Which settings count: those that change what is answered, and not where a model lies or how fast it is."""

from typing import Any

import pytest

from app.batch.fingerprints import fingerprint_course, identify_model, make_fingerprints
from tools.assembly.assistant import find_course, locate_courses
from tools.assembly.settings import AssistantSettings


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("answer", {"temperature": 0.5}),
        ("answer", {"max_tokens": 99}),
        ("answer", {"help": "Ask Ana, room 12."}),
        ("model", {"context": 2048}),
        ("model", {"dialect": "toolace"}),
        ("model", {"prompt": "learned", "path": "model.gguf"}),
        ("search", {"embedder": "bge-small"}),
        ("chat", {"history": 1}),
    ],
)
def test_what_changes_an_answer_is_another_fingerprint(table: str, change: dict[str, Any]) -> None:
    plain = AssistantSettings().with_changes("model", prompt="full")
    assert of(plain.with_changes(table, **change)) != of(plain)


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("model", {"path": "elsewhere/model.gguf"}),
        ("model", {"threads": 1}),
        ("model", {"parallel": 9}),
        ("model", {"keep_mb": 1}),
        ("chat", {"port": 9999}),
    ],
)
def test_what_changes_no_answer_is_the_same(table: str, change: dict[str, Any]) -> None:
    plain = AssistantSettings().with_changes("model", prompt="full")
    assert of(plain.with_changes(table, **change)) == of(plain)


def test_every_setting_of_answers_counts() -> None:
    named = {
        name.removeprefix("answer.")
        for name in make_fingerprints(AssistantSettings(), {}, {}).counting
        if name.startswith("answer.")
    }
    assert named == {
        "temperature",
        "top_p",
        "seed",
        "max_tokens",
        "steps",
        "faults",
        "repeats",
        "redraws",
        "certainty",
        "help",
    }


def test_a_model_is_its_weights_wherever_they_lie() -> None:
    one, other = ({"backend": "llama", "name": name, "sha256": "ab"} for name in ("one.gguf", "other.gguf"))
    assert identify_model(one) == identify_model(other) != identify_model({"backend": "llama", "name": "one.gguf"})


def test_a_changed_file_of_the_course_is_another_course_with_the_same_prompts() -> None:
    settings = AssistantSettings().with_changes("courses", folder="courses")
    course, folder = find_course(settings, "mini"), locate_courses(settings) / "mini"
    before = fingerprint_course(settings, course)
    with (folder / "syllabus.md").open("a", encoding="utf-8") as file:
        file.write("\nOne more rule.\n")
    after = fingerprint_course(settings, course)
    assert after["course"] != before["course"] and after["prompts"] == before["prompts"]


def test_a_tool_more_is_another_prompt() -> None:
    plain = AssistantSettings().with_changes("courses", folder="courses")
    course = find_course(plain, "mini")
    searching = plain.with_changes("tools", searxng="http://127.0.0.1:9")
    assert fingerprint_course(searching, course)["prompts"] != fingerprint_course(plain, course)["prompts"]


def of(settings: AssistantSettings) -> str:
    return make_fingerprints(settings, {}, {}).settings
