"""What the expert can do at its turn, and the script of its turns."""

import re
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rapidfuzz.distance import OSA

from finetune.questions import Question
from scribe.messages import END_OF_FINAL_ANSWER, END_OF_REASONING, FINAL_ANSWER
from scribe.trajectory import Call
from scribe.transcript import write_call
from tools.reading.first_thought import ONE
from tools.reading.known_questions import OF_TOPIC, asks
from tools.task import code

Result = Mapping[str, Any]
_SLIPS, _MARKS = 3, " .,;:!?()[]«»“”\"…"
MANNERS = 3
"""Words that a greeting and a thank you add at most."""
Script = Generator["Ask", Result, "Say"]


@dataclass(frozen=True, slots=True)
class Ask:
    """The expert thinks and calls a tool."""

    thought: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Say:
    """The expert thinks and answers. doubt: why the answer is no lesson though tools said it; empty if it is one."""

    thought: str
    answer: str
    doubt: str = ""


Move = Ask | Say


@dataclass(frozen=True, slots=True)
class Brief:
    """What a script may use: the question, the report it is about, and the course's numbers of weeks.

    way: which of several valid orders of calls to take, where an intent has them; 0 is the shortest. language: as
    `tools.task.LANGUAGES` names it. named: for values of the question's slots what the hint calls them.
    """

    question: Question
    report: str
    weeks: int
    weeks_done: int
    way: int = 0
    language: str = "English"
    named: Mapping[str, str] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """The language as wordings and bundles name it."""
        return code(self.language)

    def asked(self, detail: str = "") -> str:
        """How the expert's reasoning begins: what is asked, in the words of a hint, and of what."""
        question = self.question
        of_topic = question.intent == "prerequisites" and "week" not in question.slots
        what = asks(OF_TOPIC if of_topic else question.intent, str(question.slots.get("subject", "")))
        return f"{ONE}{what}{f', here {detail}' if detail else ''}."


def ask(thought: str, tool: str, **arguments: Any) -> Ask:
    """A call with the reason for it."""
    return Ask(thought, tool, arguments)


def write(move: Move) -> str:
    """The turn as text, without the opener."""
    head = f" {move.thought} {END_OF_REASONING}\n"
    if isinstance(move, Ask):
        return head + write_call(Call(move.tool, move.arguments))
    return f"{head}{FINAL_ANSWER}{move.answer}{END_OF_FINAL_ANSWER}"


def core(question: Question) -> str:
    """What is asked, without what the student tells around it: a quote, a life story, a second question.

    The text itself where it is hardly longer than its wording, so as it was typed.
    """
    known = re.sub(r"{(\w+)}", lambda slot: str(question.slots.get(slot[1], "")), question.wording)
    told = len(question.text.split()) - len(known.split())
    return known if known and told > MANNERS else question.text


def called(brief: Brief, value: str) -> str:
    """A topic or behaviour as the hint calls it, or as the student typed it."""
    return brief.named.get(value) or typed(brief.question, value)


def typed(question: Question, value: str) -> str:
    """The value as the student typed it, slips and all, or the value itself if nothing like it is there.

    So a model learns to hand on what was typed, which works for any word; tools correct the spelling.
    """
    found = re.search(re.escape(value), question.text, re.IGNORECASE)
    if found or "{topic}" not in question.wording:  # what a follow-up leans on stands in the question before
        return found.group() if found else value
    count, words = len(value.split()), [word.strip(_MARKS) for word in question.text.split()]
    spans = (" ".join(words[at : at + count]) for at in range(len(words) - count + 1))
    slips, span = min(((OSA.distance(each.casefold(), value.casefold()), each) for each in spans), default=(99, ""))
    return span if slips <= min(_SLIPS, len(value) // 3) else value
