"""What was read for one student is never used for another, however alike their texts and however busy the hour."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from scribe.backend import Completion, Sampling
from scribe.backends.llama import LlamaBackend
from scribe.decoding.chat import ChatTokenizer
from scribe.engine.engine import Engine
from scribe.messages import Message
from tests.scribe.engine.conftest import MakeEngine

STUDENTS = [f"s{number:03d}" for number in range(12)]
RULES = "You are Scribe. These are the rules and the tools of the course, the same for every student. " * 3
SHARED_REPORT = "In week 5 you watched 3 videos and solved 2 quizzes, which is less than the class."
QUESTIONS = ("Why did week 5 go so badly?", "What should I do next week?", "Am I going to pass?")


def secret(student: str) -> str:
    return f"canary-{student}-{random.Random(student).randrange(10**9)}"


def prompt(student: str, question: str, told: bool) -> list[Message]:
    """told: the report begins with the student's secret; else it is the same for all, word for word."""
    report = f"{secret(student)}. {SHARED_REPORT}" if told else SHARED_REPORT
    return [Message("system", RULES + report, len(RULES)), Message("user", question)]


@dataclass(frozen=True, slots=True)
class Asked:
    """One step: the first of a question, or the second with what a tool said."""

    student: str
    first: bool
    prompt: Sequence[Message]
    said: Completion


def busy_hour(engine: Engine, told: bool, seed: int, owners: Sequence[str] = STUDENTS) -> list[Asked]:
    """Every student asks every question twice, in two steps, eight at once and in random order."""
    asked = [(student, question) for student in owners for question in QUESTIONS] * 2
    random.Random(seed).shuffle(asked)

    def step(student: str, first: bool, messages: Sequence[Message]) -> Asked:
        return Asked(student, first, messages, engine.complete(messages, Sampling(max_tokens=12), None, None, student))

    def ask(each: tuple[str, str]) -> list[Asked]:
        student, question = each
        one = step(student, True, prompt(student, question, told))
        more = (Message("assistant", f"[REASONING]{one.said.text}"), Message("tool", '{"points": 41}'))
        return [one, step(student, False, [*one.prompt, *more])]

    with ThreadPoolExecutor(8) as pool:
        return [done for both in pool.map(ask, asked) for done in both]


@pytest.mark.parametrize("parallel", [3, 8])
def test_a_secret_is_kept_only_under_its_owner(make_engine: MakeEngine, chat: ChatTokenizer, parallel: int) -> None:
    engine, context = make_engine(parallel=parallel)
    busy_hour(engine, told=True, seed=parallel)
    texts = {student: chat.encode(secret(student), False)[1:-1] for student in STUDENTS}
    held = 0
    for node in engine.cache.nodes():
        for student, ids in texts.items():
            if contains(node.ids.tolist(), ids):
                assert node.owner == student
                held += 1
    assert held >= len(STUDENTS) - parallel  # the others still rest in their places
    known = [each for each in engine.slots.all if each is not None]
    assert len(known) == parallel
    for loaded in context.loads:
        assert sum(contains(loaded, ids) for ids in texts.values()) <= 1


def test_over_llama_cpp_itself_a_secret_is_only_where_its_owner_is(gguf: Path) -> None:
    backend = LlamaBackend(gguf, context=2048, threads=1, parallel=3)
    owners = STUDENTS[:6]
    asked = busy_hour(backend.engine, told=True, seed=4, owners=owners)
    assert sum(each.said.cached_tokens for each in asked) > sum(each.said.prompt_tokens for each in asked) / 2
    texts = {student: backend.chat.encode(secret(student), False)[1:-1] for student in owners}
    kept = [(node.owner, node.ids.tolist()) for node in backend.engine.cache.nodes()]
    placed = [(each.prompt.owner, each.ids[: each.read].tolist()) for each in backend.engine.slots.all if each]
    found = [(owner, student) for owner, ids in kept + placed for student in owners if contains(ids, texts[student])]
    assert {student for _, student in found} == set(owners)
    assert all(owner == student for owner, student in found)
    backend.close()


def contains(ids: Sequence[int], part: Sequence[int]) -> bool:
    return any(list(ids[at : at + len(part)]) == part for at in range(len(ids) - len(part) + 1))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_students_with_the_same_report_do_not_share_it(make_engine: MakeEngine, chat: ChatTokenizer, seed: int) -> None:
    engine, _ = make_engine(parallel=5)
    read: dict[str, int] = dict.fromkeys(STUDENTS, 0)
    own: dict[str, set[tuple[int, ...]]] = {student: set() for student in STUDENTS}
    for asked in busy_hour(engine, told=False, seed=seed):
        if asked.first:  # whose prompts hold nothing that the model wrote
            made = chat.prompt(asked.prompt)
            read[asked.student] += asked.said.prompt_tokens - asked.said.cached_tokens
            own[asked.student] |= {made.ids[: at + 1] for at in range(made.public, len(made.ids))}
    assert all(len(own[student]) <= read[student] for student in STUDENTS)
    assert sum(read.values()) < 1.3 * sum(map(len, own.values()))  # or the line above would prove nothing


def test_the_first_question_of_each_student_finds_only_what_is_public(
    make_engine: MakeEngine, chat: ChatTokenizer
) -> None:
    engine, _ = make_engine(parallel=4)
    busy_hour(engine, told=False, seed=9, owners=STUDENTS[:6])
    for student in STUDENTS[6:]:
        messages = prompt(student, QUESTIONS[0], told=False)
        said = engine.complete(messages, Sampling(max_tokens=5), None, None, student)
        assert said.cached_tokens <= chat.prompt(messages).public


def test_without_an_owner_nothing_private_is_found_again(make_engine: MakeEngine, chat: ChatTokenizer) -> None:
    engine, _ = make_engine(parallel=2)
    messages = prompt("nobody", QUESTIONS[0], told=True)
    public = chat.prompt(messages).public
    said = [engine.complete(messages, Sampling(max_tokens=5), None, None, "") for _ in range(4)]
    assert [each.cached_tokens for each in said] == [0, public, public, public]
    assert {node.owner for node in engine.cache.nodes()} == {None}


def test_the_public_part_of_a_prompt_ends_before_the_report(chat: ChatTokenizer) -> None:
    for student in STUDENTS:
        made = chat.prompt(prompt(student, QUESTIONS[0], told=True))
        other = chat.prompt(prompt("s999", QUESTIONS[0], told=True))
        assert made.ids[: made.public] == other.ids[: other.public]
        assert made.public > len(chat.encode(RULES, False))
