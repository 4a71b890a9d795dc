"""An attack as the question that the attacker asks, whatever its path."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from app.dialogue.asking import ask
from app.web.turn import show_turn
from data.course import Course
from scribe.agent import Agent
from scribe.backend import Backend
from scribe.records import to_json
from scribe.trajectory import Exchange
from tests.hostile.corpus import Attack
from tests.hostile.world import ATTACKER, assemble_world, plant

SPLIT = "\x1e"
"""Parts a text that is sent in two turns."""
HARMLESS = "And what is week 1 about?"


def begin_anew(agent: Agent) -> Agent:
    """The agent, which begins a refused turn anew, since to go on each beginning is checked; and is told all rules."""
    return replace(agent, goes_on=False, by_heart=False)


def attack_with(
    attack: Attack, course: Course, backend: Backend, cache: Path, change: Callable[[Agent], Agent] = begin_anew
) -> list[str]:
    """All that is recorded and shown of the attacker's question."""
    assistant = assemble_world(plant(course, attack.path, attack.text), backend, cache)
    question, history = make_question(attack)
    task = assistant.task(ATTACKER, question, "nr", history)
    shown: list[str] = []
    record = ask(
        change(assistant.agent(ATTACKER)), task, lambda event: shown.append(getattr(event, "text", "") or repr(event))
    )
    return [to_json(record), *shown, repr(show_turn(record))]


def make_question(attack: Attack) -> tuple[str, list[Exchange]]:
    """What is asked, and what was said before."""
    if attack.path == "question":
        return attack.text, []
    if attack.path != "history":
        return HARMLESS, []
    first, split, second = attack.text.partition(SPLIT)
    return (second, [Exchange(first, "I will.")]) if split else (HARMLESS, [Exchange("Hello?", attack.text)])
