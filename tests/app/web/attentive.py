"""A scripted model for pages."""

import time
from collections.abc import Mapping, Sequence

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import Message
from tests.app.told import call, final, pieces


class Attentive:
    """Looks up week 2, then answers; says what it was asked before. "Wait" makes it write for ever."""

    info: Mapping[str, str] = {"backend": "scripted", "name": "attentive"}

    def __init__(self) -> None:
        self.prompts: list[tuple[Message, ...]] = []

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        self.prompts.append(tuple(prompt))
        assert on_text is not None
        question = [message.content for message in prompt if message.role == "user"][-1]
        while "wait" in question.lower():
            if on_text("…") is False:
                return Completion("", "cancelled")
            time.sleep(0.05)  # as a model takes its time; else nobody else in the process comes to a turn
        looked = prompt[-1].role == "tool"
        text = final(f"You asked: {question} It is called Middle.") if looked else call("map_week_to_topic", week=2)
        for piece in pieces(text, 10):
            on_text(piece)
        return Completion(text)
