"""The students' part of the soak: they ask, remember what they were told, and hold it against what is kept."""

import asyncio
import json
import random
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import httpx

from app.web.texts import load_page_texts
from scribe.plumbing.errors import UsageError
from tests.faults.chat_process import ChatProcess
from tests.faults.shaky_model import ShakyModel
from tests.killing.scripted_model import answer_to
from tests.loopback import LoopbackReply

MARKS = {"s001": "heron", "s002": "otter", "s003": "lynx"}
"""A word that stands in the report of each student and nowhere else."""
LETTERS = "abcdefghij"
MOST_TURNS = 30
"""After so many a student holds them against what is kept, and deletes them."""
SAY = load_page_texts("en")


@dataclass(slots=True)
class WatchedModel(ShakyModel):
    """Reads each request for words of two students. words: each account's; places: its student."""

    words: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    leaks: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def respond(self, path: str, body: bytes) -> LoopbackReply:
        """A reply; what should not stand together is noted."""
        text = json.dumps(json.loads(body)["messages"])
        asked = {account for account, word in self.words.items() if word in text}
        told = {student for student, mark in MARKS.items() if mark in text}
        if len(asked) > 1 or len(told) != 1 or any(self.places[account] not in told for account in asked):
            with self.lock:
                self.leaks.append(f"a prompt with words of {sorted(asked)} and the reports of {sorted(told)}")
        return ShakyModel.respond(self, path, body)


@dataclass(slots=True)
class StudentSoak:
    """One student. wrong: what must not be; met: how questions ended."""

    chat: ChatProcess
    account: str
    word: str
    dice: random.Random
    met: Counter[str]
    wrong: list[str]
    asked: int = 0
    seen: dict[str, str] = field(default_factory=dict)
    """The answers that were seen to the end, by question."""
    tried: set[str] = field(default_factory=set)

    async def study(self, until: asyncio.Event) -> None:
        """Ask one question after the other until the event, then hold what is kept against what was seen."""
        visitor = None
        while not until.is_set():
            await asyncio.sleep(self.dice.uniform(0.0, 1.0))
            try:
                if visitor is None:
                    visitor = self.chat.visitor(self.account)
                    await visitor.enter("mini")
                question = self._make_question()
                reply = await visitor.ask(question)
            except (httpx.HTTPError, UsageError, ValueError, KeyError, StopIteration) as error:
                self.met[type(error).__name__] += 1
                await asyncio.sleep(0.5)
                if visitor is not None and self.dice.random() < 0.3:  # some load the page anew, others stay
                    await visitor.close()
                    visitor = None
                continue
            self._take(question, reply.text, reply.refusal)
            if len(self.seen) >= MOST_TURNS and await self.compare():
                await self._delete()
        if visitor is not None:
            await visitor.close()

    async def compare(self) -> bool:
        """Whether what is kept could be read; what of it is lost, doubled or another's is noted."""
        try:
            async with httpx.AsyncClient(timeout=60) as client:
                told = await client.get(f"{self.chat.address}/mine/download", headers=self.chat.headers(self.account))
            kept = told.raise_for_status().json()["conversations"]
        except (httpx.HTTPError, ValueError):
            return False
        self.note_differences([(turn["question"], turn["answer"]) for each in kept for turn in each["turns"]])
        return True

    def note_differences(self, turns: Sequence[tuple[str, str | None]]) -> None:
        """Note what of the kept questions and answers is not as it was seen."""
        counted = Counter(question for question, _ in turns)
        self.wrong += [f"{self.account}: twice: {question}" for question, n in counted.items() if n > 1]
        self.wrong += [f"{self.account}: lost: {question}" for question in self.seen if question not in counted]
        self.wrong += [f"{self.account}: never asked: {q}" for q in counted if q not in self.tried]
        self.wrong += [f"{self.account}: another answer: {q}" for q, a in turns if a and a != answer_to(q)]

    def _make_question(self) -> str:
        self.asked += 1
        question = f"Why {self.word} {''.join(LETTERS[int(digit)] for digit in str(self.asked))}?"
        self.tried.add(question)
        return question

    def _take(self, question: str, text: str, refusal: str) -> None:
        if refusal:
            self.met[refusal] += 1
        elif text == SAY["no_model"]:
            self.met["no_model"] += 1
        elif text == answer_to(question):
            self.met["answered"] += 1
            self.seen[question] = text
        else:
            self.wrong.append(f"{self.account}: {question} was answered {text[:80]!r}")

    async def _delete(self) -> None:
        """Delete all conversations; until that has surely succeeded nothing is expected of what is kept."""
        async with httpx.AsyncClient(timeout=60) as client:
            while True:
                self.seen.clear()
                try:
                    answer = await client.post(
                        f"{self.chat.address}/mine/delete", headers=self.chat.headers(self.account)
                    )
                    if answer.status_code == 303:
                        self.met["deleted all"] += 1
                        return
                except httpx.HTTPError:
                    pass
                await asyncio.sleep(0.5)
