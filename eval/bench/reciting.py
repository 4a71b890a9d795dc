"""The record told again without any model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from eval.bench.listening import Prompt, Turn
from eval.bench.recorded import Recorded
from scribe.backend import Completion, Constraint, OnText, Sampling
from scribe.errors import BackendError
from scribe.messages import Message


@dataclass(slots=True)
class Reciting:
    """Says what was recorded without any model: what is left is the time of the loop, the tools and the checks."""

    recorded: Recorded
    info: Mapping[str, str] = field(default_factory=dict)
    _turns: Mapping[Prompt, Turn] = field(init=False)

    def __post_init__(self) -> None:
        self._turns = self.recorded.by_prompt()

    def turn(self, prompt: Sequence[Message]) -> Turn:
        """The turn behind this prompt. Raises BackendError if nothing was recorded."""
        try:
            return self._turns[tuple(prompt)]
        except KeyError:
            raise BackendError("the replay has left the record: this prompt is not in it") from None

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        turn = self.turn(prompt)
        return Completion(turn.text, turn.finish, len(turn.ids), 0, len(turn.wrote), token_ids=turn.wrote)
