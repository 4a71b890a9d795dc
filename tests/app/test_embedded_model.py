"""The model that comes with the repository, for real: question in, checked answer out."""

import subprocess
import sys
from dataclasses import replace

import pytest

from app import build
from app.asking import ask
from app.build import Assistant
from app.settings import Settings
from data.bundle import EMBEDDED
from scribe.backend import ScriptedBackend
from scribe.backends.copying import SHARE
from scribe.backends.hf import chat_tokenizer
from scribe.backends.llama import LlamaBackend
from scribe.errors import UsageError
from scribe.records import Record
from scribe.trajectory import Stop
from scribe.transcript import to_messages
from tools.reading.first_thought import openings


@pytest.fixture(scope="module")
def assistant() -> Assistant:
    return build.assistant(Settings(), build.course(Settings()))


@pytest.fixture(scope="module")
def answered(assistant: Assistant) -> Record:
    task = assistant.task("s010", "What must I know before week 8?")
    return ask(assistant.agent("s010"), task, lambda event: None)


def test_its_first_thought_begins_with_what_the_hint_says_and_no_other_models(assistant: Assistant) -> None:
    asked = assistant.task("s010", "quand?")
    whole = replace(assistant, settings=assistant.settings.changed("answer", parts=False))
    for one in (assistant, whole):
        assert one.agent("s010").openings is openings
    assert openings(asked) and asked.hint
    assert replace(assistant, own_words=None).agent("s010").openings(asked) == ()


def test_no_http_library_is_loaded_for_it() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, app.build; print('httpx' in sys.modules)"], capture_output=True, check=True
    )
    assert told.stdout.decode().strip() == "False"


def test_it_looks_up_what_a_week_builds_on_and_answers(answered: Record) -> None:
    assert answered.stop is Stop.ANSWERED
    assert [call.name for act in answered.trajectory.acts for call in act.calls] == ["get_dependant_topics"]
    assert "Convolution (week 5)" in str(answered.answer)
    assert answered.model["sha256"]


def test_the_record_keeps_the_hint_that_the_model_read(answered: Record) -> None:
    assert answered.task.hint.startswith("what a week builds on")


def test_hints_can_be_left_out() -> None:
    settings = Settings().changed("answer", hints=False)
    without = build.assistant(settings, build.course(settings), lambda _: ScriptedBackend(()))
    assert without.task("s010", "What must I know before week 8?").hint == ""


def test_it_copies_and_a_model_that_writes_freely_does_not(assistant: Assistant) -> None:
    free = build.assistant(Settings(), assistant.course, lambda _: ScriptedBackend(()))
    assert free.own_words is None
    assert free.agent("s010").sampling.copying == 0
    assert assistant.agent("s010").sampling.copying == SHARE == 0.3
    less = replace(assistant, settings=Settings().changed("answer", copying=0.1))
    assert less.agent("s010").sampling.copying == 0.1


def test_both_backends_read_the_whole_trajectory_as_the_same_tokens(assistant: Assistant, answered: Record) -> None:
    prompt = to_messages(answered.trajectory, assistant.agent("s010").toolbox.listing)
    llama = LlamaBackend(EMBEDDED / "model.gguf")
    assert llama.chat.prompt_ids(prompt) == chat_tokenizer(EMBEDDED / "hf").prompt_ids(prompt)


def test_a_course_in_another_language_is_refused_with_what_to_do_instead() -> None:
    settings = Settings()
    course = replace(build.course(settings, "geo"), language="de")
    with pytest.raises(UsageError, match=r"knows English and French, and .*taught in de; .*--model"):
        build.assistant(settings, course)
