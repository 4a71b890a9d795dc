"""The scripted expert: a backend that knows what a question means and drives the real agent and tools.

Each intent is a script, a generator that yields calls and receives what the tools return, and ends with the
answer. Scripts compose answers only from what they were given, so the grounding check passes them; now and
then the expert makes a mistake on purpose, so that its pupil sees how one recovers.
"""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from finetune.trajectories.moves import Brief, Move, Say, Script, write
from finetune.trajectories.slips import FLAWLESS, Manner
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.messages import Message


class Teacher:
    """Answers one question; make a new one for each.

    slips: the deliberate mistakes by now. doubt: why its answer is no lesson, empty if it is one.
    """

    def __init__(
        self, script: Callable[[Brief], Script], brief: Brief, manner: Manner = FLAWLESS, seed: int = 0
    ) -> None:
        self._script = script(brief)
        self._manner = manner
        self._random = random.Random(seed)
        self._pending: Move | None = None
        self._answer: Say | None = None
        self.slips = 0
        self.doubt = ""

    @property
    def info(self) -> Mapping[str, str]:
        return {"backend": "teacher", "name": "scripted expert"}

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        """The next turn: the one that a slip has put off, or the script's next, or a slip instead of it."""
        if self._pending is not None:
            move, self._pending = self._pending, None
            return Completion(write(move))
        move = self._advance(prompt[-1])
        slip = self._manner.slip(move, self._random)
        if slip is None:
            return Completion(write(move))
        self.slips += 1
        explains = self._manner.explains and slip.remedy
        self._pending = replace(move, thought=f"{slip.remedy} {move.thought}") if explains else move
        return Completion(slip.text)

    @property
    def pending(self) -> bool:
        """Whether a deliberate mistake has not been put right yet."""
        return self._pending is not None

    def _advance(self, last: Message) -> Move:
        try:
            if last.role != "tool":
                return next(self._script)
            return self._script.send(json.loads(last.content.splitlines()[0]))
        except StopIteration as end:
            # A script that is over has nothing to return twice: an answer that was refused is given again.
            self._answer = end.value or self._answer
            assert self._answer is not None
            self.doubt = self._answer.doubt
            return self._answer
