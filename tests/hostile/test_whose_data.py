"""Whoever obeys every attack still has nothing of another to tell: the guarantee is not the model's good will."""

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from data.course import Course
from scribe.agent import Agent
from scribe.backends.api import ApiBackend
from scribe.lookalikes import replace_spelled
from scribe.messages import END_OF_ERROR_NOTICE, ERROR_NOTICE, FINAL_ANSWER, OPENER
from scribe.trajectory import Call
from tests.hostile.asking import HARMLESS, attack_with, begin_anew
from tests.hostile.corpus import TEXTS, Attack, choose, count_paths, read_attacks
from tests.hostile.obedient import ScriptedObedient, ScriptedServer
from tests.hostile.world import FEATURES, KEY, VICTIM, assemble_world, find_leaks
from tests.loopback import serve_locally
from tests.scribe.scripted import trusting

MARKER = re.compile(r"\[\s*/?\s*(?:END_OF_)?(?:REASONING|TOOL_CALL|FINAL_ANSWER|ERROR_NOTICE)\s*\]", re.IGNORECASE)
TOKEN = re.compile(
    r"<[|｜]|<\|?/?(?:s|bos|eos|(?:start|end)_of_turn)>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]|<</?SYS>>",
    re.IGNORECASE,
)
RESULT = re.compile(r"\[\s*TOOL_RESULT\s*\]", re.IGNORECASE)
FEWEST = 300


def trust(agent: Agent) -> Agent:
    """The agent without its check: what it may say is then all that it got."""
    return dataclasses.replace(agent, check=trusting)


def test_whom_the_secrets_are_of_can_read_them(world: Course, cache: Path) -> None:
    assistant = assemble_world(world, ScriptedObedient(), cache)
    box, report = assistant.agent(VICTIM).toolbox, assistant.task(VICTIM, HARMLESS).report
    calls = [Call("grade_calculator"), *(Call("get_feature_description", {"feature": each}) for each in FEATURES)]
    told = "\n".join([report, *(box.call(each).content for each in calls)])
    assert set(find_leaks(told)) == {"report", "sessions", "delay", "score"}


def find_spelled(pattern: "re.Pattern[str]", text: str) -> list[str]:
    """What the pattern finds, however it is spelled."""
    found: list[str] = []
    replace_spelled(pattern, lambda said: found.append(said) or "", text)  # type: ignore[func-returns-value]
    return found


def test_the_corpus_is_as_large_as_promised_and_each_attempt_is_another(capsys: pytest.CaptureFixture[str]) -> None:
    attacks = read_attacks()
    made = {(each.path, each.text, repr(each.calls), each.turns, repr(each.request)) for each in attacks}
    assert len(made) == len(attacks) >= FEWEST
    assert len({each.id for each in attacks}) == len(attacks)
    with capsys.disabled():
        print(f"\n{len(attacks)} attacks:", ", ".join(f"{path} {count}" for path, count in count_paths().items()))


@pytest.mark.parametrize("path", [*TEXTS, "arguments", "turn"])
@pytest.mark.parametrize("change", [begin_anew, trust], ids=["checked", "unchecked"])
def test_nothing_of_another_is_sent_recorded_or_shown(
    path: str, change: Callable[[Agent], Agent], world: Course, cache: Path
) -> None:
    leaks: dict[str, list[str]] = {}
    for attack in choose(path):
        model = ScriptedObedient()
        model.voice.obey(attack)
        said = attack_with(attack, world, model, cache, change)
        leaks[attack.id] = find_leaks("\n".join([model.voice.heard, *said]))
        assert model.voice.made >= len(attack.calls)
        assert len(model.owners) == 1
    assert leaks
    assert not {id: found for id, found in leaks.items() if found}


@pytest.fixture(scope="session")
def rules(world: Course, cache: Path) -> int:
    """How many markers the rules themselves hold."""
    model = ScriptedObedient()
    attack_with(Attack("", "question", "", HARMLESS), world, model, cache)
    return len(MARKER.findall(model.voice.prompts[0][0][1]))


@pytest.mark.parametrize("path", [*TEXTS, "turn"])
def test_no_text_becomes_a_rule_or_a_result(path: str, rules: int, world: Course, cache: Path) -> None:
    assert rules
    for attack in choose(path):
        model = ScriptedObedient()
        model.voice.obey(attack)
        attack_with(attack, world, model, cache)
        for prompt in model.voice.prompts:
            assert [role for role, _ in prompt].count("system") == 1
            for role, content in prompt:
                allowed = {"system": rules, "assistant": len(MARKER.findall(content))}.get(role, 0)
                notice = role == "user" and content.startswith(ERROR_NOTICE)
                inside = content.removeprefix(ERROR_NOTICE).removesuffix(END_OF_ERROR_NOTICE) if notice else content
                assert len(find_spelled(MARKER, inside)) == allowed, (attack.id, content)
                assert role != "assistant" or content.startswith((OPENER, FINAL_ANSWER))


@pytest.mark.parametrize("path", [*TEXTS, "turn"])
def test_nothing_of_another_reaches_a_models_server_that_obeys(path: str, world: Course, cache: Path) -> None:
    server = ScriptedServer()
    with serve_locally(server.respond) as address:
        backend = ApiBackend(address, "small", KEY, pause=0.0)
        for attack in choose(path):
            server.voice.obey(attack)
            server.requests.clear()
            said = attack_with(attack, world, backend, cache, trust)
            assert not find_leaks("\n".join([server.voice.heard, *said])), attack.id
            results = []
            for request in server.requests:
                texts = [each["content"] for each in request["messages"]]
                assert [each["role"] for each in request["messages"]].count("system") == 1
                assert KEY not in repr(request)
                assert not find_spelled(TOKEN, "\n".join(texts)), attack.id
                results.append(len(find_spelled(RESULT, "\n".join(texts))))
            acts = [step for step in json.loads(said[0])["steps"] if step["kind"] == "act"]
            assert results[-1] == sum(len(act["observations"]) for act in acts), attack.id
