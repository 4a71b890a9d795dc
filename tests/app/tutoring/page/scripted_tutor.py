"""A scripted model for the tutor's page."""

import threading
from collections.abc import Mapping, Sequence

from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import Message
from scribe.plumbing.errors import BackendError
from tests.app.told import pieces
from tests.scribe.tutor.lesson import turn


class ScriptedTutor:
    """Greets, then says what it was told. What the student says makes it wait, fail or fall silent.

    hold: is waited for after the first sentence of an answer to "SLOWLY".
    """

    info: Mapping[str, str] = {"backend": "scripted", "name": "tutor"}

    def __init__(self) -> None:
        self.prompts: list[tuple[Message, ...]] = []
        self.owners: list[str] = []
        self.hold = threading.Event()

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        self.prompts.append(tuple(prompt))
        self.owners.append(owner)
        assert on_text is not None
        said = prompt[-1].content
        if "FAIL" in said:
            raise BackendError("the script says so")
        if "SILENCE" in said:
            return Completion(" [END_OF_REASONING]")
        while "WAIT" in said:
            if on_text("") is False:
                return Completion("", "cancelled")
            self.hold.wait(0.05)  # as a model takes its time
        first = len([message for message in prompt if message.role == "user"]) == 1
        text = turn("Hello! What is asked for here?" if first else f"You said: {said.splitlines()[0]} Go on.")
        for piece in pieces(text, 12):
            on_text(piece)
            if "SLOWLY" in said and "Go" in piece:
                self.hold.wait()
        return Completion(text)
