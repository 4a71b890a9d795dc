"""The calls of a model as turns: what stood in the prompt, and what was written behind it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scribe.backend import Backend, Completion, Constraint, Finish, OnText, Sampling
from scribe.decoding.chat import ChatTokenizer
from scribe.messages import Message

Prompt = tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """One call of the model. ids: the prompt's. text, wrote: what it wrote behind the opener, finish: why it ended."""

    prompt: Prompt
    ids: tuple[int, ...]
    text: str
    wrote: tuple[int, ...]
    finish: Finish = "stop"

    @property
    def prompt_tokens(self) -> int:
        return len(self.ids)


@dataclass(slots=True)
class Listening:
    """A backend that passes everything on and remembers prompts and completions. Many threads may use it."""

    backend: Backend
    heard: list[tuple[Prompt, Completion]] = field(default_factory=list)

    @property
    def info(self) -> Mapping[str, str]:
        return self.backend.info

    def complete(
        self,
        prompt: Sequence[Message],
        sampling: Sampling,
        constraint: Constraint | None = None,
        on_text: OnText | None = None,
        owner: str = "",
    ) -> Completion:
        said = self.backend.complete(prompt, sampling, constraint, on_text, owner)
        self.heard.append((tuple(prompt), said))
        return said

    def turns(self, chat: ChatTokenizer) -> tuple[Turn, ...]:
        """What was heard, as turns; done when nobody is timed any more."""
        return tuple(
            Turn(prompt, tuple(chat.prompt_ids(prompt)), said.text, said.token_ids, said.finish)
            for prompt, said in self.heard
        )


def distinct(prompts: Iterable[Sequence[int]]) -> int:
    """Nodes of the prompts' prefix tree: tokens that somebody has to read at least once."""
    names: dict[tuple[int, int], int] = {}
    for prompt in prompts:
        at = 0
        for token in prompt:
            at = names.setdefault((at, token), len(names) + 1)
    return len(names)
